"""Counting past one machine: on a cluster that speaks Spark's API.

A Spark session comes first, and then what the verb of the same name takes on one machine::

    from pyspark.sql import SparkSession
    import pessoi.cluster

    spark = SparkSession.builder.master("spark://host:7077").getOrCreate()
    answer = pessoi.cluster.count(spark, "knight-tours", "7x8", closed=True)

The answer is the same as on one machine, and can be saved, verified and merged like that.

Counts of tours by pairings or plain-sweep, and of Go positions, are done in *rounds*: layers of
borders lie on the workers in ``places``, and go from round to round through Spark's shuffle. What
falls into independent parts instead (searches, lists, loops) is asked in as many parts, which are
merged. Options of all verbs here:

``places``
    In how many places, or parts, the work lies; a few for each core. Default: twice the cores.
``memory``
    What a task may take, such as ``"2G"``. Default: no limit.
``folder``
    Where rounds are kept, so that a run can go on: a path that the driver and all workers reach.
``every``
    Seconds between two rounds that are kept, about. Default: 60.
``resume``
    Go on from what the folder holds.
``ship``
    Send this package to workers that do not have it.
``progress``
    As for all verbs.
"""

from ._driver import ask, classify, count, list as list, plan

# Without ``list``, as in the package.
__all__ = ["ask", "classify", "count", "plan"]

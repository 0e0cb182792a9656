"""`push`: both topics through Spark Structured Streaming, also with the job killed inside a batch."""

"""What Lab 3 provides: a server that puts a log behind Kafka's protocol (`wire`), and experiments on integrations."""

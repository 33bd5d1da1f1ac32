"""What games and searches share beyond the contract: pictures, teaching, the network evaluator, the C clock."""

"""The build side: renders the rule data into pages and readies the engine for the browser."""

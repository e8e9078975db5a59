"""What experts say about rows that were drawn for review, and what that says about all rows."""

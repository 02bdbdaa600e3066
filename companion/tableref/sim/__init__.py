"""A virtual table: pieces that are moved by hand, and what a camera over them sees."""

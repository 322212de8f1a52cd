"""The versions of the tables, oldest first. One that was released is never changed."""

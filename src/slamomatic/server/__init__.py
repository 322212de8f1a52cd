"""The thin I/O shell: HTTP, WebSocket, database, and the only real clock."""

"""Alembic's way in: it migrates on the connection it is handed, in the transaction that connection is in."""

from __future__ import annotations

from alembic import context

from slamomatic.server.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite too: its driver begins nothing by itself here
    render_as_batch=True,
)
context.run_migrations()

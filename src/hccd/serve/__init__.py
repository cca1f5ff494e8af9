"""``hccd serve``: a page on this computer to learn a graph without a terminal.

``server.py`` listens on 127.0.0.1 and ends with everything it kept; ``guard.py`` lets in only who knows the token;
``app.py`` has the addresses. A table is a ``Workspace``, whose work is done by a process of its own
(``process.py`` here, ``worker.py`` there), which does what ``hccd check`` and ``hccd learn`` do.
"""

"""The rules of Chinese card games, as data and as an engine that plays by them.

Start reading at `engine.game` (what a game can do) and `engine.rulebook` (where the rules stand).
Standard library only: the same package runs on CPython and, through Pyodide, in a browser.
"""

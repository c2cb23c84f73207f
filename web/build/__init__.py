"""The steps of build.py, one idea per module. Standard library only: they run before the venv exists."""

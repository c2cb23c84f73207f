"""Pages in the browsers that Playwright does not drive as they are: Firefox from the system."""

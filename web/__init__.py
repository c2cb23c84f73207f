"""The site's sources. A package only so that an installed package named `web` cannot shadow `web.build`."""

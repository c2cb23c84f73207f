// Where the site is.

/** Address of the site, ending in a slash. */
export const siteAddress = () => new URL(".", document.baseURI).href;

/** As it stands in small print; "" for a site that is a file on this machine. */
export const siteName = () => {
  const { protocol, host, pathname } = new URL(siteAddress());
  const address = protocol.startsWith("http") ? ` · ${host}${pathname.replace(/\/$/, "")}` : "";
  return `The Transformer${address}`;
};

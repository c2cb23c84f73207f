// Where the site is.

/** Whether this page is the offline copy, opened from a disk: nobody else can follow its address. */
export const isFile = () => location.protocol === "file:";

/** Address of the site, ending in a slash. */
export const siteAddress = () => new URL(".", document.baseURI).href;

/** What links to the article begin with: the offline copy has no other page than itself. */
export const articleAddress = () => (isFile() ? document.baseURI.replace(/#.*/, "") : siteAddress());

/** Address of a file of the site; from the offline copy, its name. @param {string} path */
export const fileAddress = (path) => (isFile() ? path.slice(path.lastIndexOf("/") + 1) : siteAddress() + path);

/** As it stands in small print; "" for a site that is a file on this machine. */
export const siteName = () => {
  const { protocol, host, pathname } = new URL(siteAddress());
  const address = protocol.startsWith("http") ? ` · ${host}${pathname.replace(/\/$/, "")}` : "";
  return `The Transformer${address}`;
};

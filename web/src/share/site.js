// Where the site is.

/** Whether this page is the offline copy: one file, with no other pages of the site beside it, wherever it lies. */
export const isCopy = () => "copy" in document.documentElement.dataset;

/** Whether nobody else can follow this page's address. */
export const isOnDisk = () => !location.protocol.startsWith("http");

/** Address of the site, ending in a slash. */
export const siteAddress = () => new URL(".", document.baseURI).href;

/** What links to the article begin with. */
export const articleAddress = () => (isCopy() ? document.baseURI.replace(/#.*/, "") : siteAddress());

/** Address of a file of the site; in the offline copy, its name. @param {string} path */
export const fileAddress = (path) => (isCopy() ? path : siteAddress() + path);

/** The title, and the address where others can follow it; for small print. */
export const siteName = () => {
  const { host, pathname } = new URL(articleAddress());
  return `The Transformer${isOnDisk() ? "" : ` · ${host}${pathname.replace(/\/$/, "")}`}`;
};

/** The editor's address for a page. */
export function editPath(sourcePath: string): string {
  return `/edit/${sourcePath.split("/").map(encodeURIComponent).join("/")}`;
}

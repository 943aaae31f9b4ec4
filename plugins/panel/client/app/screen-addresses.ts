/** The editor's address for a page. */
export function editPath(sourcePath: string): string {
  return `/edit/${sourcePath.split("/").map(encodeURIComponent).join("/")}`;
}

/** The server accepts no such id: ids have letters, digits, `-` and `_`. */
export const NEW_RECORD = "+";

/** The address of a type's list, or of a record's form. */
export function recordPath(type: string, id?: string): string {
  const names = id === undefined ? [type] : [type, id];
  return ["/records", ...names.map(encodeURIComponent)].join("/");
}

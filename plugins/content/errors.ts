/** Error codes of the content plugin: what each means, and the fix. */
export const contentErrors = {
  ERR_CONTENT_FRONT_MATTER:
    "the front matter is not YAML (between `---`) or TOML (between `+++`) that Sitewright reads; correct the line that is named, the page is left out until then",
  ERR_CONTENT_FRONT_MATTER_SIZE:
    "the front matter is larger than 1 MB; move long texts into the body, long lists into modules or records; the page is left out until then",
  ERR_CONTENT_FRONT_MATTER_UNCLOSED:
    "the front matter is opened but never closed; add a closing line with the same fence, `---` or `+++`",
  ERR_CONTENT_FRONT_MATTER_FENCE:
    "the file has front matter fields without an opening fence, or a second block of front matter; put all fields between two `---` lines at the start of the file, the page is left out until then",
  ERR_CONTENT_FRONT_MATTER_PLACE:
    "blank lines or HTML comments precede the front matter, and other programs will not find it; move it to the first line",
  ERR_CONTENT_FIELD:
    "a field of the front matter has a value that means nothing; correct it, until then it is ignored, or keeps the page off the site where it says who sees it",
  ERR_CONTENT_FIELD_NAME:
    "a key almost matches one that controls who sees the page, or restricts access in other systems; correct or rename it, the page is off the site until then",
  ERR_CONTENT_ROLES:
    "the field `roles` has a value that means nothing; the page is left out so that it is not shown to everybody",
  ERR_CONTENT_SIZE: "the page is larger than 5 MB; split it, or put the data into a media file",
  ERR_CONTENT_ENCODING: "the page is not valid UTF-8, or holds NUL bytes; save it as UTF-8 text",
  ERR_CONTENT_READ: "the file or folder cannot be read; check its permissions",
  ERR_CONTENT_DEPTH: "the folder lies deeper than 99 levels; move its pages up",
  ERR_CONTENT_LINK:
    "the link leads out of the content folder or in a circle; put the file itself into the content folder",
  ERR_CONTENT_DUPLICATE_ROUTE:
    "two files claim one route; the first by path has it, rename the other or give it a `slug`",
  ERR_CONTENT_LANGUAGE:
    "the name of a file ends in a language that the site does not have; correct the name, add the language to `languages.supported` in system.yaml, or give the page a `slug`",
  ERR_CONTENT_NAME:
    "the file name marks a draft or a copy, contains characters that no address can have, or leads to the address of another file; rename it",
  ERR_CONTENT_UNREACHABLE:
    "a declared route, a redirect or a language answers at the page's address; give the page another slug, or remove the redirect",
  ERR_CONTENT_ALIAS:
    "an alias or redirect leads to nothing, leads on to another one, or is never used; correct it or remove it",
  ERR_CONTENT_HOME:
    "`home` in site.yaml names a page that does not exist, so the home page is chosen as if it were not set; write the route of a page, or remove the line",
  ERR_CONTENT_SIDECAR:
    "the sidecar is not a YAML map, or its name does not match a media file; correct it, until then it is ignored",
  ERR_CONTENT_PATH: "the path is not one of a file in the content folder",
  ERR_CONTENT_AUDIENCE:
    "more people would see a page than before, or the public would see something else, and the account may not publish; ask an account with the permission `pages.publish`, or save a working copy",
  ERR_CONTENT_FORBIDDEN:
    "the account or token may not change this file; ask for the permission that the message names",
  ERR_CONTENT_EXTENSION: "a move keeps the extension of a page; choose a name with the same one",
  ERR_CONTENT_LIMITED:
    "the token may change only some fields of pages; leave the others as they are, or use another token",
  ERR_CONTENT_CONFLICT: "the file has changed since it was read; merge and save again",
  ERR_CONTENT_MISSING: "there is no such file; check the path",
  ERR_CONTENT_EXISTS: "there is such a file already; choose another path",
  ERR_CONTENT_BUSY:
    "the change waited ten seconds for other changes, such as a checkout of thousands of pages, and was not written (503); try again",
  ERR_CONTENT_STEP:
    "a change of several files was interrupted and cannot be undone, because a file has changed since; compare it with the former version in the folder that is named, then delete that folder and restart",
  ERR_CONTENT_WRITE: "the file could not be written; check permissions and free space",
  ERR_CONTENT_PATCH:
    "the front matter cannot be patched with these keys; use plain names and values",
  ERR_CONTENT_BLUEPRINT:
    "a file in `blueprints/` has a mistake; correct the key that is named, what is wrong is left out until then",
  ERR_CONTENT_INVALID:
    "the front matter does not fit the page's blueprint; correct the fields that are named, a page on the disk is served as it is",
  ERR_CONTENT_MOMENT:
    "the parameter `at` or `rev` names no moment of the content; use a date and time such as 2027-06-01T09:00Z, or the id of a commit of a branch",
  ERR_CONTENT_MOMENT_SIZE:
    "the commit has more pages or bytes than can be shown at a moment; check it out and start a site on it",
  ERR_COLLECTION_SOURCE:
    "the collection names a source that does not exist; use one of those the documentation lists",
} as const;

/** A code of `contentErrors`. */
export type ContentErrorCode = keyof typeof contentErrors;

/** The second half of a code's text: what to do. */
export function findFix(code: string): string | undefined {
  const text = Object.entries(contentErrors).find(([name]) => name === code)?.[1];
  return text?.includes("; ") === true ? text.slice(text.indexOf("; ") + 2) : undefined;
}

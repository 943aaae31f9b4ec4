/** The address bar: which screen is shown. */
import { signal } from "@preact/signals";
import { boot, sitePath } from "../boot.js";

/** An address below `{admin.path}`. */
export interface Address {
  /** `/pages`; `/` for the dashboard. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path with which the screen was opened: it differs after what the screen shows has moved. */
  readonly opened: string;
}

/** The shown address. */
export const address = signal<Address>(current());

/** The full address of a screen. */
export function href(path: string): string {
  return path === "/" ? boot.path : boot.path + path;
}

/** Options of `navigate`. */
export interface NavigateOptions {
  /** True: without an entry in the browser's history. */
  readonly replace?: boolean;
}

/** Shows a screen. */
export function navigate(path: string, options: NavigateOptions = {}): void {
  if (options.replace === true) history.replaceState(null, "", href(path));
  else history.pushState(null, "", href(path));
  address.value = current();
  scrollTo(0, 0);
}

/** What the screen shows has moved to another address: the screen stays as it is. */
export function moveAddress(path: string): void {
  const { opened } = address.peek();
  history.replaceState(null, "", href(path) + location.search);
  address.value = { ...current(), opened };
}

/** Changes the query of the shown screen, without an entry in the browser's history. */
export function setQuery(values: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(address.value.query);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.size === 0 ? "" : `?${query}`;
  const { path, opened } = address.value;
  history.replaceState(null, "", href(path) + text);
  address.value = { ...current(), opened };
}

/** Follows links of the panel without loading the page. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    address.value = current();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || isForBrowser(event, link)) return;
    event.preventDefault();
    navigate(link.pathname.slice(boot.path.length) + link.search || "/");
  });
}

/** The parameters of a path that fits the pattern (`/edit/*path`, `/records/:type`); else null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const names: string[] = [];
  const source = pattern.replace(/\/([:*])(\w+)/g, (_all, kind: string, name: string) => {
    names.push(name);
    return kind === "*" ? "/(.+)" : "/([^/]+)";
  });
  const match = new RegExp(`^${source}$`).exec(path);
  if (match === null) return null;
  return Object.fromEntries(names.map((name, at) => [name, decode(match[at + 1] ?? "")]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function current(): Address {
  // A browser that reaches the server directly has no site path in its address.
  const path = sitePath(location.pathname).slice(boot.path.length - boot.base.length);
  const shown = path === "" ? "/" : path;
  return { path: shown, query: new URLSearchParams(location.search), opened: shown };
}

function isForBrowser(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isSpecial = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.defaultPrevented || isSpecial || link.target !== "" || link.download !== "")
    return true;
  if (link.origin !== location.origin || link.hash !== "") return true;
  return link.dataset["screen"] === undefined;
}

/** Every screen receives these. */
export interface ScreenProps {
  /** Values of the parameters in the screen's path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

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

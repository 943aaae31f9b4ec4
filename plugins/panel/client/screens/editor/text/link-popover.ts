/** A small bar below the link that has the cursor: where it leads, open, change, remove. */
import { Prec, StateField, type EditorState, type Extension } from "@codemirror/state";
import { keymap, showTooltip, type EditorView, type Tooltip } from "@codemirror/view";
import { createElement, ExternalLink, Pencil, Unlink, type IconNode } from "lucide";
import { call } from "../../../api/request.js";
import { siteHref } from "../../../boot.js";
import { linkAt, unlinkChange, type LinkSource } from "./link-source.js";
import { t } from "./tool-texts.js";

/** What the bar needs from the screen. */
export interface LinkActions {
  /** Opens the dialog that changes the link at the cursor, or makes one of the selection. */
  onLink(): void;
  /** The address of the page in the text, below which relative addresses lead. */
  route(): string;
}

/** The extension, with Ctrl K for a selection or a link; elsewhere the key opens the palette. */
export function linkPopover(actions: LinkActions): Extension {
  const shown = StateField.define<Tooltip | null>({
    create: () => null,
    update(value, { docChanged, selection, state }) {
      // While a link is typed, the bar would be in the way.
      if (docChanged) return null;
      return selection === undefined ? value : tooltip(state, actions);
    },
    provide: (field) => showTooltip.from(field),
  });
  const key = {
    key: "Mod-k",
    stopPropagation: true,
    run: ({ state }: EditorView): boolean => {
      const { main } = state.selection;
      if (state.readOnly || (main.empty && linkAt(state, main.head) === null)) return false;
      actions.onLink();
      return true;
    },
  };
  return [shown, Prec.high(keymap.of([key]))];
}

function tooltip(state: EditorState, actions: LinkActions): Tooltip | null {
  const { main } = state.selection;
  const link = main.empty ? linkAt(state, main.head) : null;
  if (link === null || link.address === "") return null;
  return {
    pos: link.from,
    arrow: false,
    strictSide: false,
    create: (view) => ({ dom: bar(view, link, actions) }),
  };
}

function bar(view: EditorView, link: LinkSource, actions: LinkActions): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "link-popover";
  dom.setAttribute("role", "group");
  dom.setAttribute("aria-label", t("link"));
  dom.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    view.focus();
  });
  const address = openAddress(link.address, actions.route());
  const open = document.createElement(address === null ? "span" : "a");
  open.className = "link-popover-target";
  const name = document.createElement("span");
  name.textContent = link.address;
  open.append(name);
  if (open instanceof HTMLAnchorElement && address !== null) {
    open.href = address;
    open.target = "_blank";
    open.rel = "noopener noreferrer";
    open.title = t("link.open");
    open.append(createElement(ExternalLink, { width: 14, height: 14, "aria-hidden": "true" }));
  }
  dom.append(open);
  void titleOf(link.address, actions.route()).then((title) => {
    if (title !== null) name.textContent = title;
    if (title !== null) open.title = link.address;
  });
  if (view.state.readOnly) return dom;
  dom.append(button(t("link.edit"), Pencil, actions.onLink));
  const changes = unlinkChange(link);
  if (changes !== null) {
    const remove = (): void => {
      view.dispatch({ changes, userEvent: "input.format" });
      view.focus();
    };
    dom.append(button(t("link.remove"), Unlink, remove));
  }
  return dom;
}

function button(label: string, icon: IconNode, run: () => void): HTMLElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "icon";
  element.title = label;
  element.setAttribute("aria-label", label);
  element.append(createElement(icon, { width: 16, height: 16, "aria-hidden": "true" }));
  // The text keeps the selection that the link is found by.
  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("click", run);
  return element;
}

/** The address as this window opens it; null for one that it must not open. */
function openAddress(address: string, route: string): string | null {
  try {
    const base = new URL(siteHref(`${route.replace(/\/$/, "")}/`), location.origin);
    const url = new URL(address.startsWith("/") ? siteHref(address) : address, base);
    return /^(?:https?|mailto|tel):$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** The title of the page at an address of the site; null for any other address. */
async function titleOf(address: string, route: string): Promise<string | null> {
  const [path = ""] = address.split(/[?#]/);
  const sought = path === "" && address.startsWith("#") ? route : path;
  if (!/^\/(?!\/)/.test(sought)) return null;
  const plainPath = sought === "/" ? sought : sought.replace(/\/$/, "");
  try {
    const query = { q: plainPath, limit: MAX_PAGES, languages: "together" } as const;
    const { items } = await call("GET /pages", { query, isBackground: true });
    return items.find((page) => page.route === plainPath)?.title ?? null;
  } catch {
    // The address says where the link leads.
    return null;
  }
}

const MAX_PAGES = 20;

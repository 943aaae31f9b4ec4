/** The parts of plugins that run in the panel, and what went wrong in them. */
import { signal } from "@preact/signals";
import { Fragment, h, type ComponentType } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type {
  PanelApi,
  PanelCall,
  PanelExtension,
  PanelFieldProps,
  PanelScreen,
} from "../../browser-contract.js";
import { boot, nonce, type BootExtension } from "../boot.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { fullMoment } from "../parts/moment.js";
import { Pager, Table } from "../parts/table.js";
import { href, navigate } from "./router.js";
import { language, texts } from "./texts.js";
import { done } from "./toasts.js";
import { exchange } from "../api/request.js";
import { may } from "../api/session.js";

/** A part of an extension with the plugin and file that it comes from. */
export type Part<T> = T & { readonly from: BootExtension };
/** A failure of an extension. */
export interface ExtensionFailure {
  readonly from: BootExtension;
  readonly message: string;
}

/** A screen of an extension. */
export type ForeignScreenPart = Part<Required<PanelScreen>>;

/** Extensions that have loaded. */
export const extensions = signal<readonly Part<PanelExtension>[]>([]);
/** The number of extensions that are still being loaded. */
export const loading = signal(boot.extensions.length);
/** The failures of extensions, each once. */
export const failures = signal<readonly ExtensionFailure[]>([]);

const FOLDER = "/assets/extensions/";

/** Loads the files of all plugins; one that fails leaves the others alone. */
export function startExtensions(): void {
  addEventListener("error", (event) => reportForeign(event.filename, event.error));
  addEventListener("unhandledrejection", ({ reason }) => {
    reportForeign(reason instanceof Error ? (reason.stack ?? "") : "", reason);
  });
  for (const from of boot.extensions) void load(from);
}

/** Notes a failure, and shows it in the console with plugin and file. */
export function report(from: BootExtension, error: unknown): void {
  note(from, error);
  const text = `plugin ${from.plugin}, file ${from.file}: ${toMessage(error)}`;
  reportError(new Error(text, { cause: error }));
}

/** The screens of all extensions, with their addresses. */
export function foreignScreens(): readonly ForeignScreenPart[] {
  return extensions.value.flatMap(({ from, screens = [] }) =>
    screens.map(({ path = "", label, permission = "any", view }) => {
      const below = path.replace(/^\/+/, "");
      const folder = `/plugins/${encodeURIComponent(from.plugin)}`;
      return { from, label, permission, view, path: below === "" ? folder : `${folder}/${below}` };
    }),
  );
}

/** The screen of an extension at an address. */
export function findForeign(path: string): ForeignScreenPart | null {
  return foreignScreens().find((screen) => screen.path === path) ?? null;
}

/** The editor of an extension for a kind of field. */
export function foreignField(type: string): Part<{ view: ComponentType<PanelFieldProps> }> | null {
  for (const { from, fields = {} } of extensions.value) {
    const view = Object.hasOwn(fields, type) ? fields[type] : undefined;
    if (view !== undefined) return { from, view };
  }
  return null;
}

async function load(from: BootExtension): Promise<void> {
  try {
    const module: unknown = await import(boot.path + FOLDER + from.src);
    extensions.value = [...extensions.value, { from, ...created(module) }];
  } catch (error) {
    report(from, error);
  } finally {
    loading.value -= 1;
  }
}

function created(module: unknown): PanelExtension {
  const create = isRecord(module) ? module["default"] : null;
  if (typeof create !== "function") throw new Error("the file has no function as default export");
  const extension: unknown = create(extensionApi());
  if (!isRecord(extension)) throw new Error("the default export returns no object");
  for (const name of ["screens", "cards", "blocks"]) {
    if (extension[name] !== undefined && !Array.isArray(extension[name])) {
      throw new Error(`${name} is no list`);
    }
  }
  return extension;
}

/** Failures of handlers and timers reach the window only. */
function reportForeign(where: string, error: unknown): void {
  const from = boot.extensions.find(({ src }) => where.includes(FOLDER + src));
  if (from !== undefined) note(from, error);
}

function note(from: BootExtension, error: unknown): void {
  const message = toMessage(error);
  const isKnown = failures.value.some(
    (one) => one.from.plugin === from.plugin && one.message === message,
  );
  if (!isKnown) failures.value = [...failures.value, { from, message }];
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Calls a route that its extension describes. @throws ApiError, OfflineError. */
async function foreignCall<T>(path: string, call?: PanelCall): Promise<T>;
async function foreignCall(path: string, call?: PanelCall): Promise<unknown> {
  return (await exchange(path, call)).data;
}

/** The panel as an extension sees it. */
function extensionApi(): PanelApi {
  return {
    h,
    Fragment,
    language,
    href,
    may,
    Loading,
    Pager,
    Table,
    hooks: { useEffect, useId, useMemo, useRef, useState },
    useLoaded: <T>(path: string) => useLoaded(path, () => foreignCall<T>(path)),
    texts: ({ en, de }) => texts({ en, de: { ...en, ...de } }),
    moment: (at) => fullMoment(at),
    request: foreignCall,
    navigate: (path) => navigate(path),
    say: (text) => done(text),
    style: (css) => {
      const element = document.createElement("style");
      element.nonce = nonce;
      element.textContent = css;
      document.head.append(element);
    },
  };
}

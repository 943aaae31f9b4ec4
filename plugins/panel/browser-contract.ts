/** The types of a plugin's code that runs in the panel, in `sitewright/theme`: they name those of Preact. */
import type { ComponentChildren, ComponentType, Fragment, h, VNode } from "preact";
import type { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";

/** The default export of an extension's file: called once, before its parts are shown. */
export type PanelModule = (panel: PanelApi) => PanelExtension;
/** An extension adds these to the panel. */
export interface PanelExtension {
  /** Editors of field kinds, by the kind's name. */
  readonly fields?: Readonly<Record<string, ComponentType<PanelFieldProps>>>;
  readonly screens?: readonly PanelScreen[];
  readonly cards?: readonly PanelCard[];
  /** Blocks of the text, in the menu that `/` opens. */
  readonly blocks?: readonly PanelBlock[];
}
/** A block that the slash menu of the editor offers. */
export interface PanelBlock {
  readonly label: string;
  /** What it is for, in a few words. */
  readonly hint?: string;
  /** Other words that find it, separated by spaces. */
  readonly synonyms?: string;
  /** Path data of an icon in a box of 24 by 24, drawn as a line. */
  readonly icon?: string;
  /** Its Markdown, on lines of its own; the cursor comes to `$0`, else to the end. */
  readonly insert: string | (() => string);
}
/** A screen at `{admin.path}/plugins/{plugin}`, with an entry in the menu. */
export interface PanelScreen {
  /** The path below the plugin's address; empty: the address itself. */
  readonly path?: string;
  /** The text in the menu and the title. */
  readonly label: string;
  /** Permission that is needed to see it; absent: every account sees it. */
  readonly permission?: string;
  readonly view: ComponentType<{ readonly query: URLSearchParams }>;
}
/** A card of the dashboard. */
export interface PanelCard {
  readonly title: string;
  /** Permission that is needed to see it; absent: every account sees it. */
  readonly permission?: string;
  readonly view: ComponentType<Record<never, never>>;
}
/** Properties of a field editor. It draws a control; label, help and error stand around it. */
export interface PanelFieldProps {
  /** Belongs on the control: the label refers to it. */
  readonly id: string;
  readonly field: {
    readonly name: string;
    readonly type: string;
    readonly label: string;
    readonly required: boolean;
    readonly options: readonly { value: string; label: string }[];
    readonly min: number | null;
    readonly max: number | null;
  };
  readonly value: unknown;
  readonly error: string | null;
  readonly isEditable: boolean;
  /** The value for `aria-describedby`. */
  readonly describedBy: string | undefined;
  /** Undefined removes the value. */
  onChange(value: unknown): void;
}
/** A request of the admin API. */
export interface PanelCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
}
/** The texts of an extension. A key without a German text is shown in English. */
export interface PanelTexts<K extends string> {
  readonly en: Readonly<Record<K, string>>;
  readonly de?: Readonly<Partial<Record<K, string>>>;
}
/** A response that is being loaded, was loaded, or failed to load. */
export interface PanelLoaded<T> {
  /** Undefined until the first response; the last one while it is loaded again. */
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}
/** A column of a table. */
export interface PanelColumn {
  readonly label: string;
  /** Hidden in narrow windows; its cells have the class `wide-only`. */
  readonly wideOnly?: boolean;
  /** Holds buttons: the label is for screen readers. */
  readonly isActions?: boolean;
}
/** A part of a long list. */
export interface PanelPagerProps {
  offset: number;
  limit: number;
  total: number;
  onMove(offset: number): void;
}
/** The panel as an extension sees it. */
export interface PanelApi {
  /** Preact: `h("button", { type: "button" }, "Save")`. */
  readonly h: typeof h;
  readonly Fragment: typeof Fragment;
  readonly hooks: {
    readonly useEffect: typeof useEffect;
    readonly useId: typeof useId;
    readonly useMemo: typeof useMemo;
    readonly useRef: typeof useRef;
    readonly useState: typeof useState;
  };
  /** Language of the panel: `en` or `de`. */
  readonly language: string;
  /**
   * Returns a function that looks up a text by key and fills `{name}`; `{n|one page|{n} pages}` takes
   * the first form for 1.
   */
  texts<K extends string>(
    all: PanelTexts<K>,
  ): (key: K, values?: Readonly<Record<string, string | number>>) => string;
  /** Date and time in the language of the panel; Unix ms. */
  moment(at: number): string;
  /** A hook: loads a path of the admin API, and again when the path changes or `reload` is called. */
  useLoaded<T>(path: string): PanelLoaded<T>;
  /** Shows loaded data, the wait before it, or the failure with a button that loads again. */
  Loading<T>(props: { of: PanelLoaded<T>; children(data: T): ComponentChildren }): VNode;
  /** A table whose children are rows; it scrolls sideways inside its frame in narrow windows. */
  readonly Table: ComponentType<{
    label: string;
    columns: readonly PanelColumn[];
    /** True for rows with long texts: a narrow window shows their cells one below the other. */
    isStacked?: boolean;
  }>;
  /** Steps through a long list; shows nothing for a short one. */
  readonly Pager: ComponentType<PanelPagerProps>;
  /** Calls `{admin.path}/api{path}` with the session of the person. @throws an error with `status` and `body`. */
  request<T>(path: string, call?: PanelCall): Promise<T>;
  /** True when the account has the permission. */
  may(permission: string): boolean;
  /** The address of a screen: `/pages`, `/plugins/orders`. */
  href(path: string): string;
  /** Shows a screen. */
  navigate(path: string): void;
  /** Shows a short message. */
  say(text: string): void;
  /** Adds CSS rules; style elements without the panel's nonce are blocked. */
  style(css: string): void;
}

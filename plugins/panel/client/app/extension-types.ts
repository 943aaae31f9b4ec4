/** What a plugin's file adds to the panel: the same as `plugins/panel/contract.ts`, which browser code does not import. */
import type { ComponentChildren, ComponentType, Fragment, h, VNode } from "preact";
import type { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { Field } from "../api/page-types.js";
import type { ControlProps } from "../parts/fields/control-props.js";
import type { PagerProps } from "../parts/pager-props.js";
import type { Column } from "../parts/table.js";
import type { Loaded } from "../parts/use-loaded.js";
import type { Texts } from "./texts.js";

/** What a field editor gets. */
export type ExtensionFieldProps = Pick<
  ControlProps,
  "id" | "value" | "error" | "isEditable" | "describedBy" | "onChange"
> & {
  readonly field: Pick<Field, "name" | "type" | "label" | "required" | "options" | "min" | "max">;
};
/** A screen below the plugin's address. */
export interface ExtensionScreen {
  readonly path?: string;
  readonly label: string;
  readonly permission?: string;
  readonly view: ComponentType<{ readonly query: URLSearchParams }>;
}
/** A card of the dashboard. */
export interface ExtensionCard {
  readonly title: string;
  readonly permission?: string;
  readonly view: ComponentType<Record<never, never>>;
}
/** What the file's default export returns. */
export interface Extension {
  readonly fields?: Readonly<Record<string, ComponentType<ExtensionFieldProps>>>;
  readonly screens?: readonly ExtensionScreen[];
  readonly cards?: readonly ExtensionCard[];
}
/** What the file's default export receives. */
export interface ExtensionApi {
  readonly h: typeof h;
  readonly Fragment: typeof Fragment;
  readonly hooks: {
    readonly useEffect: typeof useEffect;
    readonly useId: typeof useId;
    readonly useMemo: typeof useMemo;
    readonly useRef: typeof useRef;
    readonly useState: typeof useState;
  };
  readonly language: string;
  texts<K extends string>(all: ExtensionTexts<K>): Texts<K>;
  moment(at: number): string;
  useLoaded<T>(path: string): Loaded<T>;
  Loading<T>(props: { of: Loaded<T>; children(data: T): ComponentChildren }): VNode;
  readonly Table: ComponentType<{ label: string; columns: readonly Column[] }>;
  readonly Pager: ComponentType<PagerProps>;
  request<T>(path: string, call?: ExtensionCall): Promise<T>;
  may(permission: string): boolean;
  href(path: string): string;
  navigate(path: string): void;
  say(text: string): void;
  style(css: string): void;
}
/** The texts of an extension; keys without a German text are English. */
export interface ExtensionTexts<K extends string> {
  readonly en: Readonly<Record<K, string>>;
  readonly de?: Readonly<Partial<Record<K, string>>>;
}
/** A request of the admin API. */
export interface ExtensionCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
}

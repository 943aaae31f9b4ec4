/** Names for the values of the admin API that several files of the panel use. */
import type { Answer, Body, Item, Sent } from "./request.js";

/** An account, as administrators see it. */
export type Account = Answer<"GET /users/:id">;
/** A role that opens the panel. */
export type Role = Item<"GET /roles">;

/** A page in lists. */
export type PageRow = Item<"GET /pages">;
/** The source of a page. */
export type PageSource = Answer<"GET /pages/*path">;
/** The languages of a page. */
export type PageTranslations = Answer<"GET /translations/*path">;
/** An unpublished text of a page. */
export type WorkingCopy = Answer<"GET /drafts/*path">;
/** A page type: a template with the fields of its front matter. */
export type PageType = Item<"GET /page-types">;

type FormField = PageType["fields"][number];
/** A field of a page type or record type, or of a form of the panel itself. */
export interface Field extends Sent<Omit<FormField, "control" | "more" | "fields">> {
  /** The control that its kind names; absent in forms of the panel itself. */
  readonly control?: string;
  /** Fields of each value of an `object` or `structure`. */
  readonly fields: readonly Field[];
  /** Its kind reads these keys of its definition: `of`, `from`, `blocks`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A type of records. */
export type RecordType = Item<"GET /flex">;
/** A record: meta fields, then those of its type. */
export type FlexRecord = Item<"GET /flex/:type">;
/** Values of a form; null removes a value. */
export type RecordValues = Readonly<Record<string, unknown>>;

/** A file of a page. */
export interface MediaItem extends Item<"GET /media"> {
  /** Only in the list of the whole site. */
  readonly key?: LibraryItem["key"];
  /** Only in the list of the whole site. */
  readonly folder?: LibraryItem["folder"];
}
/** The media library. */
export type Library = Extract<Answer<"GET /media">, { folders: unknown }>;
/** A file of the media library. */
export type LibraryItem = Library["items"][number];

/** A configuration file. */
export type SettingsFile = Answer<"GET /settings/:file">["file"];
/** A part of a JSON Schema, as far as the forms read it. */
export type JsonSchema = Answer<"GET /settings/:file">["schema"];
/** A dotted key with its new value; null removes the key. */
export type SettingChange = Body<"PATCH /settings/:file">["changes"][number];
/** A theme that can be chosen. */
export type Theme = Item<"GET /themes">;

/** Folders and files of the content tree as nodes. */
import type { Field } from "#kernel";
import type { LanguageRules } from "../view/address.js";
import type { FileName, FolderName, NameRules } from "../read/source-name.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import type { SourceRecord } from "../read/source-record.js";

/** The rules that decide places and routes. */
export interface PositionRules extends NameRules, LanguageRules {
  /** Template names of the active theme: a file of that name is its folder's page. */
  templates: ReadonlySet<string>;
  /** `home` of the configuration: a slug or route. */
  home: string | null;
  /** IANA zone of times without an offset. */
  timezone: string;
  /** By template, the fields whose values are terms of the page. Absent: none. */
  termFields?: TermFields;
  /** Fields whose values are the texts in the file. Absent: only built-in ones. */
  textFields?: TextFields;
}
/** The fields of page types whose values are the texts in the file. */
export interface TextFields {
  /** The fields of pages with this template, nested ones in their parents. */
  of(template: string): readonly Field[];
  /** Differs when the fields differ. */
  readonly stamp: string;
}
/** A field of front matter whose values are terms of a taxonomy. */
export type TermField = readonly [field: string, taxonomy: string];
/** Template to its fields with terms. */
export type TermFields = ReadonlyMap<string, readonly TermField[]>;
/** A content file in its folder. */
export interface Candidate {
  readonly record: SourceRecord;
  readonly name: FileName;
  isFolderPage: boolean;
  /** The problem of its name beside its siblings; null without one. */
  issue: NameIssue | null;
}
/** A problem of a file's name. */
export interface NameIssue extends SourceIssue {
  /** `error` keeps the page off the site. */
  readonly severity: "error" | "warning";
}
/** A folder below `content/`; the root has no parent. */
export interface FolderNode {
  readonly path: string;
  readonly name: FolderName;
  readonly parent: FolderNode | null;
  readonly folders: FolderNode[];
  readonly candidates: Candidate[];
  /** True for a module, and for everything below one. */
  readonly isHidden: boolean;
  readonly inDrafts: boolean;
}

/** The home page: a folder's page, or a flat one. */
export interface HomeFile {
  node: FolderNode;
  flat: Candidate | null;
}

/** True when the name of a file keeps its page off the site. */
export function isWithheld({ issue }: Candidate): boolean {
  return issue?.severity === "error";
}

/** True when a file is the page of the folder. */
export function hasFolderPage(node: FolderNode): boolean {
  return node.candidates.some(({ isFolderPage }) => isFolderPage);
}

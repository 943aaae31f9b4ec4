/** The items that sources of an import yield, and the reports of imports and exports. */

/** The file and line of an item. */
export interface Origin {
  /** Below the source folder, or the name of the source file. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}
/** The text of a page, as the source has it. */
export interface ImportedBody {
  readonly format: "html" | "markdown";
  readonly text: string;
  /** True: `[[Name]]` and `![[file]]` are links. */
  readonly wikiLinks?: boolean;
}
/** The place that relative links of a page start from. */
export interface LinkBase {
  /** The old address of the page, with host if known; null without one. */
  readonly url: string | null;
  /** The file of the page below the source folder; null for a source of one file. */
  readonly file: string | null;
  /** Folders below the source folder from which links count that begin with a slash. Default: the source folder. */
  readonly roots?: readonly string[];
  /** True: the name of a file means that file, wherever it is. Default false. */
  readonly isByName?: boolean;
}
/** Links a translation to its page. */
export interface Translation {
  /** A language code; pages in languages that the site lacks stay behind, with a report. */
  readonly lang: string;
  /** An address of the page in the main language, which may be missing. */
  readonly of: string;
}
/** A page. */
export interface ImportedPage {
  readonly kind: "page";
  readonly origin: Origin;
  /** Wanted address: `/blog/hello`. A taken one gets a number. */
  readonly route: string;
  /** Path below `content/`, for a source with the same layout; absent: from the route. */
  readonly path?: string;
  /** Name of a theme template; `default` when the theme lacks it. */
  readonly template: string;
  /** Position among its siblings: the number of its folder; null without one. */
  readonly position: number | null;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The link of the source that `image` of the front matter names. */
  readonly image?: string | null;
  /** Keys of the front matter whose values are links of the source; a dot goes into maps and lists: `hero.actions.url`. */
  readonly linkKeys?: readonly string[];
  /** The id or the text of the heading that became the title: links to its anchor lead to the page itself. */
  readonly titleAnchor?: string;
  readonly body: ImportedBody;
  readonly base: LinkBase;
  /** Names by which links of the source call it, see `addressKey`. Old paths become redirects. */
  readonly addresses: readonly string[];
  /** Set for a translation: its language, and an address of the page in the main language. */
  readonly translation?: Translation;
  /** True: left out without a report when the site has a page at the route. */
  readonly isOptional?: boolean;
  /** Remarks for the report about content that was lost. */
  readonly notes?: readonly string[];
}
/** A file that pages show or link to. */
export interface ImportedMedia {
  readonly kind: "media";
  readonly origin: Origin;
  /** File name. */
  readonly name: string;
  /** Absolute path of a file inside the source folder, or an http(s) address. */
  readonly from: { readonly file: string } | { readonly url: string };
  /** Folder below `content/` for a file without owner. */
  readonly folder: string;
  /** An address of the page whose folder gets it; null without one. */
  readonly owner: string | null;
  readonly addresses: readonly string[];
  /** Keys of its sidecar. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Set for a download of any type, which is taken along only when a page links to it: why it stays behind else. */
  readonly unlessUsed?: NotImported;
}
/** An account without a password. */
export interface ImportedAccount {
  readonly kind: "account";
  readonly origin: Origin;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly string[];
}
/** A record of the flex type that `--type` names. */
export interface ImportedRecord {
  readonly kind: "record";
  readonly origin: Origin;
  /** Identifies the record in the source; two runs give it the same id. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}
/** An old address and a page or address of the source that it leads to. */
export interface ImportedRedirect {
  readonly kind: "redirect";
  readonly origin: Origin;
  readonly from: string;
  /** With `target`, an address of the new site. */
  readonly to: string;
  /** A list of terms or of articles by an author, or a feed, which the site makes itself if it has such. */
  readonly target?: "listing" | "feed";
}
/** Something that stays behind. */
export interface NotImported {
  readonly kind: "notImported";
  readonly origin: Origin;
  readonly reason: string;
  /** What the report counts it as; default: its reason. */
  readonly group?: string;
  /** True: only counted in the report, such as a style sheet beside the content. Default false. */
  readonly isCounted?: boolean;
  /** Names by which links of the source call it: such a link had a target there. */
  readonly addresses?: readonly string[];
  /** The old address of a page: when the site has a page there, links lead to that one. */
  readonly route?: string;
}
/** An entry of a sidebar: a page, an address, a group, or the pages of a folder. */
export interface SidebarPlace {
  /** Absent: the title of the page. An entry without title and page has only its entries. */
  readonly title?: string;
  /** Its title in other languages, by their codes. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Names by which links of the source call its page: the first one counts that a page has. */
  readonly page?: readonly string[];
  /** An address on the web, or one of the old site that is no page. */
  readonly url?: string;
  /** Folder below the source folder, whose pages take this place, in their order. */
  readonly folder?: string;
  /** With `folder`: leaves out pages that other entries name. Default false. */
  readonly isRest?: boolean;
  readonly items?: readonly SidebarPlace[];
}
/** The order and the groups of the source: becomes `sidebar.yaml`. */
export interface ImportedSidebar {
  readonly kind: "sidebar";
  readonly origin: Origin;
  readonly items: readonly SidebarPlace[];
}
/** Facts about the old site. */
export interface ImportedSite {
  readonly kind: "site";
  /** Host names of the old site: links to them are links within the site. */
  readonly hosts: readonly string[];
  /** The path below which it answered, which links from the root of its host begin with: `/project`. Default: none. */
  readonly basePath?: string;
  /** Its name; set in site.yaml when that has none. */
  readonly title?: string | null;
  /** A sentence about it. */
  readonly description?: string | null;
  /** The language of its pages, such as `de` or `pt-BR`. */
  readonly language?: string | null;
  /** The link of the source to its logo. */
  readonly logo?: string | null;
}
/** Any item that a source yields. */
export type ImportItem =
  | ImportedPage
  | ImportedMedia
  | ImportedAccount
  | ImportedRecord
  | ImportedRedirect
  | NotImported
  | ImportedSidebar
  | ImportedSite;

/** Input of a source. */
export interface SourceInput {
  /** Absolute path of the file or folder. */
  readonly path: string;
  /** `--type`: the flex type of records; null without one. */
  readonly type: string | null;
  /** The moment of the import, Unix ms. */
  readonly now: number;
  /** The time zone of the site: dates without an offset are in it. */
  readonly timezone: string;
}
/** A kind of export that can be imported. */
export interface ImportSource {
  /** One line for the help: what `<source>` is. */
  readonly summary: string;
  /**
   * Every item. The importer reads them twice, and both times they must come in the same order.
   * @throws ERR_IMPORT_SOURCE naming file and line for a source that cannot be read.
   */
  items(input: SourceInput): AsyncIterable<ImportItem>;
}

/** Counts the outcomes of items of a kind. */
export interface ImportCounts {
  created: number;
  /** Already imported. */
  unchanged: number;
  /** The site has something else there, which stays. */
  skipped: number;
  failed: number;
}
/** A line of the report. */
export interface ImportNote {
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}
/** What was left out for the same reason, or what is left of one syntax. */
export interface ImportGroup {
  readonly kind: string;
  readonly count: number;
  /** The first of them. */
  readonly places: readonly Origin[];
}
/** The result of an import. */
export interface ImportReport {
  readonly from: string;
  readonly dryRun: boolean;
  readonly pages: ImportCounts;
  readonly media: ImportCounts;
  readonly accounts: ImportCounts;
  readonly records: ImportCounts;
  readonly redirects: ImportCounts;
  /** `sidebar.yaml`, from the order and the groups of the source. */
  readonly sidebar: ImportCounts;
  /** Links and images within the old site: `rewritten` lead to imported pages and files. */
  readonly links: { rewritten: number; unresolved: number };
  /** Keys of the configuration that were not set and are now: `site.yaml: title`. */
  readonly settings: readonly string[];
  /** Lists what was left out, with the reason. */
  readonly notImported: readonly ImportNote[];
  /** Counts what was left out, also files, keys and settings beside the content, most frequent first. */
  readonly groups: readonly ImportGroup[];
  /** Counts what looks like the syntax of another system in the written pages; places are files of the site. */
  readonly leftovers: readonly ImportGroup[];
  /** Lists links that had a target in the source and have none now. */
  readonly lostLinks: readonly ImportNote[];
  /** Lists links within the old site that had no target in the source either. */
  readonly deadLinks: readonly ImportNote[];
  /** Lists the downloads and writes that failed: another run may still import them. */
  readonly failures: readonly ImportNote[];
}

/** The result of an export with `site export`. */
export interface ExportReport {
  readonly to: string;
  /** Absolute path of the file or folder. */
  readonly out: string;
  /** Pages in the export; `drafts` and `gated` of them are not public. */
  readonly pages: number;
  readonly drafts: number;
  readonly gated: number;
  /** Files in the export, or files that it names. */
  readonly media: number;
  readonly records: number;
  readonly redirects: number;
  readonly leftOut: {
    /** Unpublished pages: `--drafts` includes them. */
    readonly drafts: number;
    /** Pages for members: `--gated` includes them. */
    readonly gated: number;
    /** Pages without an address. */
    readonly withoutAddress: number;
  };
  /** Lists what the format cannot hold. */
  readonly notes: readonly ImportNote[];
}

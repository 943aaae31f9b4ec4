/** Imports a source into a site: reads it once for the plan, then again to write. */
import { posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isRecord, type SiteContext, SiteError } from "#kernel";
import { sha256 } from "#lib/secrets";
import type {
  ImportItem,
  ImportReport,
  ImportSource,
  SourceInput,
  ImportedAccount,
  ImportedPage,
  ImportedRecord,
  ImportedRedirect,
  ImportedSidebar,
} from "../contract.js";
import { Plan } from "../plan/plan.js";
import { encodedPath, fileKey, redirectKey, anchorOn } from "../plan/address-key.js";
import { type PlannedMedia, type PlannedPage, siteTree } from "../plan/places.js";
import { findLeftovers } from "../text/leftovers.js";
import { isEmpty, pageText } from "../text/page-text.js";
import { FileWriter, type NewFile } from "./file-writer.js";
import { MediaWriter, type MediaOptions } from "./media-writer.js";
import { isBlogSource, writeFacts } from "./site-facts.js";
import { addOldAddresses, RedirectWriter } from "./redirect-writer.js";
import { writeSidebar } from "./sidebar-writer.js";
import { Tally } from "./tally.js";

/** Pages that are written as one step, with the files in their folders. */
const PAGES_OF_STEP = 50;

/** Options of an import. */
interface ImportOptions extends MediaOptions {
  readonly from: string;
  readonly source: ImportSource;
  readonly input: SourceInput;
  /** Called after each page and file; `total` may grow while pages name further files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Imports a source. Writes nothing when the source cannot be read, and nothing over what exists.
 * @throws ERR_IMPORT_SOURCE naming file and line.
 */
export async function importSite(site: SiteContext, options: ImportOptions): Promise<ImportReport> {
  const { source, input } = options;
  const plan = await Plan.of(source, input, siteTree(site, isBlogSource(options.from)));
  const run = new ImportRun(site, plan, options);
  for await (const item of source.items(input)) await run.take(item);
  return run.finish();
}

class ImportRun {
  readonly #site: SiteContext;
  readonly #plan: Plan;
  readonly #options: ImportOptions;
  readonly #tally = new Tally();
  readonly #files: FileWriter;
  readonly #media: MediaWriter;
  readonly #redirects: RedirectWriter;
  readonly #sidebars: ImportedSidebar[] = [];
  /** Pages that are read, and not written yet. */
  readonly #waiting: NewFile[] = [];
  /** Files that are not stored yet, by folder. */
  readonly #filesByFolder = new Map<string, PlannedMedia[]>();
  #pages = 0;
  #filesSeen = 0;
  #done = 0;

  constructor(site: SiteContext, plan: Plan, options: ImportOptions) {
    const { dryRun } = options;
    const tally = this.#tally;
    this.#site = site;
    this.#plan = plan;
    this.#options = options;
    this.#files = new FileWriter(site, tally, { dryRun });
    this.#media = new MediaWriter(site, tally, this.#files, options);
    this.#redirects = new RedirectWriter(site, tally);
  }

  async take(item: ImportItem): Promise<void> {
    if (item.kind === "page") await this.#page(item);
    else if (item.kind === "account") await this.#account(item);
    else if (item.kind === "record") await this.#record(item);
    else if (item.kind === "notImported") this.#tally.leave(item);
    else if (item.kind === "redirect") this.#redirect(item);
    else if (item.kind === "sidebar") this.#sidebars.push(item);
    if (item.kind !== "site") this.#tick();
  }

  async finish(): Promise<ImportReport> {
    await this.#writePages();
    for (const download of this.#plan.unused()) this.#tally.leave(download);
    this.#sortFiles();
    await this.#storeFiles([...this.#filesByFolder.values()].flat());
    await this.#files.flush();
    addOldAddresses(this.#plan, this.#redirects, this.#options.takesMedia);
    await this.#redirects.write(this.#options.dryRun);
    const { dryRun } = this.#options;
    const context = { site: this.#site, plan: this.#plan, tally: this.#tally, dryRun };
    for (const sidebar of this.#sidebars) await writeSidebar(sidebar, context);
    await this.#writeFacts();
    return this.#tally.report(this.#options.from, this.#options.dryRun);
  }

  async #writeFacts(): Promise<void> {
    const { logo: link } = this.#plan.site;
    const logo = link === null || link === undefined ? null : this.#fileAddress(link);
    const { from, dryRun } = this.#options;
    this.#tally.settings.push(
      ...(await writeFacts(this.#site, this.#plan, { from, logo }, dryRun)),
    );
  }

  /** The address of a file in the new site, by its address in the old one or its path in the source. */
  #fileAddress(link: string): string | null {
    if (!this.#options.takesMedia) return null;
    const keys = [link, `/${link}`, fileKey(link.replace(/^\//, ""))].map((one) =>
      this.#plan.toKey(one),
    );
    const file = keys.map((key) => this.#plan.file(key)).find((one) => one !== undefined);
    return file === undefined ? null : encodedPath(`/content-media/${file.path}`);
  }

  async #page(item: ImportedPage): Promise<void> {
    const planned = this.#plan.pages[this.#pages];
    this.#pages += 1;
    if (planned === undefined) throw new Error("the source changed while it was read");
    if (planned.leftOut !== null) return this.#tally.note(item.origin, planned.leftOut);
    if (planned.takenBy !== null) return this.#taken(planned);
    const { takesMedia } = this.#options;
    const context = {
      plan: this.#plan,
      page: planned,
      base: item.base,
      origin: item.origin,
      takesMedia,
    };
    const { text, bodyLine, notes, rewritten, unresolved } = await pageText(
      item,
      context,
      (markdown) => this.#site.use("check").scan(markdown),
    );
    this.#tally.links.rewritten += rewritten;
    this.#tally.links.unresolved += unresolved.length;
    for (const note of notes) this.#tally.note(item.origin, `${planned.route}: ${note}`, note);
    for (const { target, lost } of unresolved) this.#tally.deadLink(item.origin, target, lost);
    this.#countUnknown(item, planned, text, bodyLine);
    this.#waiting.push({
      path: planned.path,
      content: text,
      origin: item.origin,
      part: "pages",
    });
    if (this.#waiting.length >= PAGES_OF_STEP) await this.#writePages();
    return undefined;
  }

  /** Writes the pages that wait. A kill leaves each with the files in its folder, or none of them. */
  async #writePages(): Promise<void> {
    const pages = this.#waiting.splice(0);
    if (pages.length === 0) return;
    await this.#site.use("content").asStep("import", async () => {
      this.#sortFiles();
      for (const page of pages) {
        await this.#files.add(page);
        const folder = posix.dirname(page.path);
        const files = this.#filesByFolder.get(folder) ?? [];
        this.#filesByFolder.delete(folder);
        await this.#storeFiles(files);
      }
      await this.#files.flush();
    });
  }

  /** Counts what nothing here reads: keys of the front matter, and syntax in the text. */
  #countUnknown(
    { origin, frontmatter }: ImportedPage,
    { path }: PlannedPage,
    text: string,
    bodyLine: number,
  ) {
    const { from } = this.#options;
    const custom = isRecord(frontmatter["custom"]) ? frontmatter["custom"] : {};
    for (const [key, value] of Object.entries(custom)) {
      if (isEmpty(value)) continue;
      this.#tally.count(
        origin,
        `key ${JSON.stringify(key)} is kept in custom, which no page shows`,
      );
    }
    // A page of this project has its own syntax.
    if (from === "dune") return;
    const body = text
      .split("\n")
      .slice(bodyLine - 1)
      .join("\n");
    for (const { kind, line } of findLeftovers(body, from)) {
      this.#tally.leftover({ file: `content/${path}`, line: bodyLine - 1 + line }, kind);
    }
  }

  #taken({ route, origin, takenBy, isOptional }: PlannedPage): void {
    if (isOptional) return;
    const reason = `${route} is the address of ${takenBy ?? "another page"}, which stays; move that page and import again`;
    this.#tally.skip("pages", origin, reason);
  }

  /** Creates an account without a password, unless the address has one. */
  async #account({ email, name, roles, origin }: ImportedAccount): Promise<void> {
    const tally = this.#tally;
    const users = this.#site.use("users");
    if ((await users.findByEmail(email)) !== null) {
      tally.accounts.unchanged += 1;
      return;
    }
    try {
      if (!this.#options.dryRun) {
        const account = { email, roles, provider: "local", ...(name !== null && { name }) };
        await users.create(account);
      }
      tally.accounts.created += 1;
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      tally.skip("accounts", origin, `account ${JSON.stringify(email)}: ${error.message}`);
    }
  }

  /** Creates a record whose id follows from its key in the source. */
  async #record({ key, data, origin }: ImportedRecord): Promise<void> {
    const tally = this.#tally;
    const { input, dryRun } = this.#options;
    const type = input.type ?? "";
    const flex = this.#site.use("flex");
    const id = /^[0-9a-f]{12}$/.test(key) ? key : sha256(`${type}\n${key}`).slice(0, 12);
    const there = await flex.source(type, id);
    if (there !== null) {
      const fields = new Set(flex.type(type)?.fields.map(({ name }) => name));
      const declared = Object.fromEntries(
        Object.entries(data).filter(([name]) => fields.has(name)),
      );
      if (isSame(there.record, declared)) tally.records.unchanged += 1;
      else
        tally.skip("records", origin, `record ${type}/${id} exists with other values, which stay`);
      return;
    }
    const change = { op: "create", type, id, data } as const;
    const [result] = await flex.apply([change], { dryRun, message: "Import" });
    if (result?.status === "created") {
      tally.records.created += 1;
      return;
    }
    const errors = result?.errors.map(
      ({ field, message }) => `${field === "" ? "" : `${field}: `}${message}`,
    );
    tally.skip("records", origin, `record not valid: ${errors?.join("; ") ?? "unknown"}`);
  }

  /** Sorts in the files that were planned since the last call: pages name further ones. */
  #sortFiles(): void {
    const { media } = this.#plan;
    for (const file of media.slice(this.#filesSeen)) {
      const folder = posix.dirname(file.path);
      const files = this.#filesByFolder.get(folder);
      if (files === undefined) this.#filesByFolder.set(folder, [file]);
      else files.push(file);
    }
    this.#filesSeen = media.length;
  }

  async #storeFiles(files: readonly PlannedMedia[]): Promise<void> {
    for (const file of files) {
      await this.#media.add(file);
      this.#tick();
    }
  }

  #redirect({ from, to, origin, target }: ImportedRedirect): void {
    if (target !== undefined) {
      const list = this.#plan.list(this.#plan.toKey(from));
      const key = redirectKey(from, this.#plan.hosts) ?? from;
      if (list !== undefined) this.#redirects.add(key, encodedPath(list), origin);
      return;
    }
    const page = this.#plan.page(this.#plan.toKey(from));
    // A host sends a page where there is one, and its redirect where no page is.
    if (from.startsWith("/") && page !== undefined && page.takenBy === null)
      return this.#tally.note(
        origin,
        `redirect from ${from}: the page ${page.path} has this address`,
      );
    const address = this.#addressOf(to);
    if (address === null)
      this.#tally.note(origin, `redirect from ${from}: its target ${to} was not imported`);
    else this.#redirects.add(this.#sourceOf(from), address, origin);
  }

  /** An old address as a key of `redirects`; `/old/*` is every address below. */
  #sourceOf(from: string): string {
    if (from.endsWith("/*")) return `${encodedPath(from.slice(0, -2))}/*`;
    return redirectKey(from, this.#plan.hosts) ?? from;
  }

  /** Finds where a target of the source is now; null for one that was not imported. */
  #addressOf(to: string): string | null {
    const key = this.#plan.toKey(to);
    const page = this.#plan.page(key);
    if (page !== undefined) return encodedPath(page.route) + anchorOn(page, to);
    const file = this.#options.takesMedia ? this.#plan.file(key) : undefined;
    if (file !== undefined) return encodedPath(`/content-media/${file.path}`);
    return /^(?:https?:)?\//.test(to) ? to : null;
  }

  #tick(): void {
    this.#done += 1;
    const { counts, media } = this.#plan;
    const total = counts.pages + counts.accounts + counts.records + media.length;
    this.#options.onProgress?.(Math.min(this.#done, total), total);
  }
}

/** True when the record has the values of the source; it may have more, by default. */
function isSame(
  record: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(data).every(([name, value]) => {
    const stored = record[name];
    return isDeepStrictEqual(stored, value) || String(stored) === String(value) || value === "";
  });
}

import { type SiteContext, Git } from "#kernel";
import type {
  ContentProblem,
  ContentService,
  ContentView,
  PageEntry,
} from "../../content/contract.js";
import type { TemplateProps } from "../contract.js";
import { Icons } from "./icons.js";
import { readSidebar, type SidebarFile, problemsOfSidebar } from "./sidebar-file.js";
import { Sidebars, findVersion, versionViews, type Version } from "./sidebar.js";
import type { BranchName, SidebarBranch } from "./sidebar-branches.js";
import { SocialCards } from "./social-cards.js";

/** Provides the sidebar, versions, dates, cards and icons that pages show beside their text. */
export class Reading {
  readonly cards: SocialCards;
  readonly icons: Icons;
  readonly #site: SiteContext;
  readonly #changes: LastChanges;
  readonly #sidebars = new Sidebars();
  readonly #versions: readonly Version[];
  #file: SidebarFile;

  constructor(site: SiteContext, content: ContentService) {
    this.#site = site;
    this.cards = new SocialCards({ site, content });
    this.icons = new Icons(site.cache);
    this.#changes = new LastChanges(site);
    this.#file = readSidebar(site.paths.root);
    this.#versions = Object.entries(site.settings.site.versions).map(([title, path]) => ({
      title,
      path: path.length > 1 ? path.replace(/(?<!\/)\/+$/, "") : path,
    }));
    site.changes.react("render.last-changes", () => this.#changes.invalidate());
  }

  /** The sidebar and the version switch of a page. */
  sidebarProps(
    view: ContentView,
    { nav, href, preset, lang }: Pick<TemplateProps, "nav" | "href" | "preset" | "lang">,
    { route }: PageEntry,
  ): Pick<TemplateProps, "sidebar" | "adjacent" | "versions"> {
    const versions = this.#versions;
    const { entries } = this.#sidebarFile();
    const current = findVersion(route, versions);
    const tree = this.#sidebars.of({ view, route, lang, versions, nav, href, preset, entries });
    return {
      sidebar: tree.entriesOf(route),
      adjacent: tree.adjacentTo(route),
      versions: versionViews(view, { route, lang, href, current }, versions),
    };
  }

  /** The entries of a closed group, or of a further part of a list; null: the visitor has no such branch. */
  branch(
    view: ContentView,
    { lang, href, preset }: Pick<TemplateProps, "href" | "preset" | "lang">,
    name: BranchName,
  ): SidebarBranch | null {
    const { entries } = this.#sidebarFile();
    const nav = view.navTree(lang);
    const request = { view, lang, nav, href, preset, entries, versions: this.#versions };
    return this.#sidebars.branch(request, name);
  }

  /** The mistakes in `sidebar.yaml`. */
  problems(content: ContentService): readonly ContentProblem[] {
    const languages = this.#site.settings.system.languages.supported;
    return problemsOfSidebar(this.#sidebarFile(), content, languages);
  }

  /** While the site is written, changes of the file show with the next request. */
  #sidebarFile(): SidebarFile {
    const { runtime, paths } = this.#site;
    if (runtime.env.mode === "dev") this.#file = readSidebar(paths.root, this.#file);
    return this.#file;
  }

  /** ISO date of the last change of a page; null when unknown or not shown. */
  async changed(entry: PageEntry): Promise<string | null> {
    const { last_change: isShown, preset } = this.#site.settings.site.theme;
    if (isShown ?? preset === "docs") return this.#changes.of(entry);
    // With every preset, a date that the author states is shown.
    return isShown === false ? null : statedChange(entry);
  }

  /** Address at which the file of a page is edited; null without `theme.edit_url`. */
  editUrl({ sourcePath }: PageEntry): string | null {
    const { edit_url: template } = this.#site.settings.site.theme;
    if (template === null) return null;
    const path = sourcePath.split("/").map(encodeURIComponent).join("/");
    return template.replace("{path}", () => path);
  }
}

/**
 * When pages changed last, from git: read once per commit, when content has changed since. Without git,
 * and in a shallow clone, whose history ends too early, only the front matter tells.
 */
class LastChanges {
  readonly #git: Git;
  readonly #log: SiteContext["log"];
  #dates: ReadonlyMap<string, number> = new Map();
  #head: string | null = null;
  #reading: Promise<void> | null = null;
  #isStale = true;

  constructor(site: Pick<SiteContext, "paths" | "log" | "lifecycle">) {
    this.#git = new Git(site.paths.content, { signal: site.lifecycle.signal });
    this.#log = site.log;
  }

  /** Content has changed: the next caller looks for a new commit. */
  invalidate(): void {
    this.#isStale = true;
  }

  /** ISO date: `updated` of the front matter, else of the last commit; null when unknown. */
  async of(entry: PageEntry): Promise<string | null> {
    const stated = statedChange(entry);
    if (stated !== null) return stated;
    const { sourcePath } = entry;
    if (this.#isStale) this.#read();
    await this.#reading;
    const seconds = this.#dates.get(sourcePath);
    return seconds === undefined ? null : new Date(seconds * 1000).toISOString();
  }

  #read(): void {
    this.#isStale = false;
    this.#reading = this.#readNewCommits().catch((error: unknown) => {
      this.#dates = new Map();
      this.#log.debug("render.last_changes_unknown", { error: String(error) });
    });
  }

  async #readNewCommits(): Promise<void> {
    const [head = "", shallow] = (
      await this.#git.run(["rev-parse", "HEAD", "--is-shallow-repository"])
    ).split("\n");
    if (head === this.#head) return;
    this.#dates = shallow === "true" ? new Map() : await this.#readLog();
    this.#head = head;
  }

  /** The newest commit of each file below the content folder. */
  async #readLog(): Promise<ReadonlyMap<string, number>> {
    const args = [
      "log",
      "--format=%x00%ct",
      "--name-only",
      "--no-renames",
      "--relative",
      "--",
      ".",
    ];
    const dates = new Map<string, number>();
    for (const commit of (await this.#git.run(args)).split("\0").slice(1)) {
      const [time = "", ...paths] = commit.split("\n");
      for (const path of paths) {
        if (path !== "" && !dates.has(path)) dates.set(path, Number(time));
      }
    }
    return dates;
  }
}

/** The date of the last change that the front matter states; null without one. */
function statedChange({ frontmatter: { updated } }: PageEntry): string | null {
  const date = updated instanceof Date ? updated.toISOString() : updated;
  return typeof date === "string" && !Number.isNaN(Date.parse(date)) ? date : null;
}

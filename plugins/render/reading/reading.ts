import type { SiteContext } from "#kernel";
import type {
  ContentProblem,
  ContentService,
  ContentView,
  PageEntry,
} from "../../content/contract.js";
import type { TemplateProps } from "../contract.js";
import { Icons } from "./icons.js";
import { LastChanges, statedChange } from "./last-changes.js";
import { readSidebar, type SidebarFile } from "./sidebar-file.js";
import { problemsOfSidebar } from "./sidebar-problems.js";
import { Sidebars, versionOf } from "./sidebar.js";
import { SocialCards } from "./social-cards.js";
import { versionViews, type Version } from "./versions.js";

/** What readers of documentation and articles find beside the text. */
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
  propsOf(
    { view, lang }: { view: ContentView; lang: string },
    { nav, href, preset }: Pick<TemplateProps, "nav" | "href" | "preset">,
    { route }: PageEntry,
  ): Pick<TemplateProps, "sidebar" | "versions"> {
    const versions = this.#versions;
    const { entries } = this.#sidebarFile();
    const current = versionOf(route, versions);
    return {
      sidebar: this.#sidebars.of({ view, route, lang, versions, nav, href, preset, entries }),
      versions: versionViews(view, { route, lang, href, current }, versions),
    };
  }

  /** The mistakes in `sidebar.yaml`. */
  problems(content: ContentService): readonly ContentProblem[] {
    const languages = this.#site.settings.system.languages.supported;
    return problemsOfSidebar(this.#sidebarFile(), { content, languages });
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

  /** Where the file of a page is edited. */
  editUrl({ sourcePath }: PageEntry): string | null {
    const { edit_url: template } = this.#site.settings.site.theme;
    if (template === null) return null;
    const path = sourcePath.split("/").map(encodeURIComponent).join("/");
    return template.replace("{path}", () => path);
  }
}

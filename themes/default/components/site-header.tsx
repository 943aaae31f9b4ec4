import { inLanguage, languageName, type NavItem, type TemplateProps } from "#theme";
import { Icon } from "./icon.js";

/** Data of the header. */
export function headerBy(props: TemplateProps): unknown[] {
  const { site, nav, t, href, themeConfig, hasPlugin, lang, siteUser, page, translations } = props;
  const isSearch = page === null && props["searchQuery"] !== undefined;
  const marked = nav.map((item) => ariaCurrent(item, page?.route ?? ""));
  return [
    site,
    nav,
    t,
    href,
    themeConfig,
    hasPlugin,
    lang,
    siteUser === null,
    isSearch,
    ...marked,
    ...translations.flatMap((other) => [other.lang, other.url]),
  ];
}

/** Title, navigation, search, languages and the colour switch. */
export function SiteHeader(props: TemplateProps) {
  const { site, nav, t, href, themeConfig } = props;
  const logo = themeConfig["logo"];
  return (
    <header class="site-header">
      <div class={`wrap bar ${barClass(props)}`}>
        <a class="brand" href={href("/")}>
          {typeof logo === "string" && logo !== "" ? (
            <img src={logo} alt="" height="28" />
          ) : (
            <Mark />
          )}
          <span>{site.title}</span>
        </a>
        {nav.length > 0 && (
          <nav class="nav-wide" aria-label={t("nav.main", "Main")}>
            <Links {...props} />
          </nav>
        )}
        <div class="tools">
          <SearchField {...props} />
          <Languages {...props} />
          <Visitor {...props} />
          {themeConfig["show_theme_toggle"] !== false && (
            <button
              type="button"
              class="tool"
              data-theme-toggle
              hidden
              aria-label={t("theme.toggle", "Dark mode")}
              aria-pressed="false"
            >
              <Icon name="sun" />
              <Icon name="moon" />
            </button>
          )}
        </div>
        {nav.length > 0 && (
          <details class="nav-narrow">
            <summary>
              <Icon name="menu" />
              <span>{t("nav.menu", "Menu")}</span>
            </summary>
            <nav aria-label={t("nav.main", "Main")}>
              <Links {...props} />
            </nav>
          </details>
        )}
      </div>
    </header>
  );
}

function Links({ nav, page, href }: TemplateProps) {
  const current = page?.route ?? "";
  const shown = nav.filter((item) => item.route !== "/");
  return (
    <ul>
      {shown.map((item) => (
        <li key={item.route}>
          <a
            href={href(item.route)}
            {...inLanguage(item.lang)}
            aria-current={ariaCurrent(item, current)}
          >
            {item.title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function ariaCurrent(item: NavItem, current: string): "page" | "true" | undefined {
  if (item.route === current) return "page";
  return current.startsWith(`${item.route}/`) ? "true" : undefined;
}

function SearchField({ hasPlugin, themeConfig, t, href, page, searchQuery }: TemplateProps) {
  if (!hasPlugin("search") || themeConfig["show_search"] === false) return null;
  // The search page has its own field.
  if (page === null && searchQuery !== undefined) return null;
  const label = t("search.label", "Search");
  return (
    <>
      <form class="search-wide" role="search" action={href("/search")} method="get">
        <Icon name="search" />
        <input
          type="search"
          name="q"
          placeholder={label}
          aria-label={label}
          autocomplete="off"
          data-search
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <a class="tool search-narrow" href={href("/search")} aria-label={label}>
        <Icon name="search" />
      </a>
    </>
  );
}

/** Two languages are shown side by side, more as a menu. An untranslated page lists those it is written in. */
function Languages(props: TemplateProps) {
  const { translations, lang, t } = props;
  if (translations.every((translation) => translation.lang === lang)) return null;
  const label = t("nav.languages", "Languages");
  if (translations.length <= 2) {
    return (
      <nav class="languages" aria-label={label}>
        <LanguageLinks {...props} />
      </nav>
    );
  }
  return (
    <details class="languages language-menu">
      <summary aria-label={`${label}: ${languageName(lang)}`}>
        <Icon name="languages" />
        <span lang={lang}>{languageName(lang)}</span>
      </summary>
      <nav aria-label={label}>
        <LanguageLinks {...props} />
      </nav>
    </details>
  );
}

function LanguageLinks({ translations, lang }: TemplateProps) {
  return (
    <ul>
      {translations.map((translation) => (
        <li key={translation.lang}>
          <a
            href={translation.url}
            lang={translation.lang}
            hreflang={translation.lang}
            aria-current={translation.lang === lang ? "true" : undefined}
          >
            {languageName(translation.lang)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Visitor({ siteUser, t }: TemplateProps) {
  if (siteUser === null) return null;
  return (
    <a class="visitor" href="/auth/logout">
      {t("login.out", "Log out")}
    </a>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path
        d="M9 11h14M9 16h9M9 21h12"
        stroke="var(--paper)"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}

/** Widths of the window, in rem, from which the style sheet can show the links in the header. */
const STEPS = [48, 56, 64, 72, 80, 88] as const;
/** Mean width of a letter, of full-width ones, and the space around a link, in rem. */
const LETTER = 0.52;
const FULL_WIDTH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LINK_SPACE = 1.65;
/** Mark, search, colour switch, and the space around and between them. */
const OTHERS = 24;

type Bar = Pick<TemplateProps, "site" | "nav" | "translations" | "siteUser">;

/**
 * The class that says from which width on the links of the header fit in one line; below it, they
 * are a menu. Estimated here because a style sheet cannot measure.
 */
function barClass({ site, nav, translations, siteUser }: Bar): string {
  const links = nav.filter(({ route }) => route !== "/");
  const names = translations.map(({ lang }) => languageName(lang));
  // Several languages are a menu as wide as the longest.
  const languages =
    names.length === 2 ? names : names.toSorted((a, b) => b.length - a.length).slice(0, 1);
  const width =
    OTHERS +
    estimateWidth(site.title) * 1.3 +
    sum(links.map(({ title }) => estimateWidth(title) + LINK_SPACE)) +
    sum(languages.map((name) => estimateWidth(name) + LINK_SPACE)) +
    (siteUser === null ? 0 : 5);
  const step = STEPS.find((from) => width <= from);
  return step === undefined ? "bar-menu" : `bar-${step}`;
}

function estimateWidth(text: string): number {
  const full = text.match(FULL_WIDTH)?.length ?? 0;
  return (text.length + full) * LETTER;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

import { inLanguage, languageName } from "#theme";
import type { NavItem, TemplateProps } from "#theme";
import { barClass } from "./bar-width.js";
import { Icon } from "./icon.js";

/** Data of the header. */
export function headerBy(props: TemplateProps): unknown[] {
  const { site, nav, t, href, themeConfig, hasPlugin, lang, siteUser, page, translations } = props;
  const isSearch = page === null && props["searchQuery"] !== undefined;
  const marked = nav.map((item) => currentOf(item, page?.route ?? ""));
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
            aria-current={currentOf(item, current)}
          >
            {item.title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function currentOf(item: NavItem, current: string): "page" | "true" | undefined {
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

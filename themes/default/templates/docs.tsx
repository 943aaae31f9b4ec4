import { Breadcrumbs, NavTree, Pagination } from "#theme";
import type { NavItem, PageView, TemplateProps } from "#theme";
import { Contents } from "../components/contents.js";
import { Neighbours } from "../components/neighbours.js";
import { PageModules } from "../components/page-modules.js";
import { hasModules, PageList } from "../components/page-list.js";
import { Prose, Title } from "../components/prose.js";

/** A documentation page: the section on one side, the headings on the other. */
export default function Docs(props: TemplateProps) {
  const { Layout, page, nav, collection, t, href, lang, once } = props;
  if (page === null) return <Layout {...props} />;
  const section = sectionOf(nav, page);
  return (
    <Layout {...props} kind="docs">
      <div class="wrap docs">
        {section !== null &&
          once("docs-nav", [section, page.route, href], () => (
            <SectionNav section={section} page={page} href={href} />
          ))}
        <article class="docs-page">
          {once("docs-text", [page.title, page.html, page.fallback, page.breadcrumbs, t], () => (
            <>
              <header class="page-header">
                <Breadcrumbs items={page.breadcrumbs} label={t("nav.breadcrumbs", "Breadcrumbs")} />
                <Title page={page} />
              </header>
              <Prose page={page} />
            </>
          ))}
          <PageModules {...props} />
          {collection !== undefined && !hasModules(collection) && (
            <section class="listing" aria-label={t("list.label", "Pages")}>
              <PageList items={collection.items} lang={lang} t={t} />
              <Pagination collection={collection} t={t} />
            </section>
          )}
          {section !== null &&
            once("docs-around", [section, page.route, t, href], () => (
              <Around {...props} section={section} page={page} />
            ))}
        </article>
        {once("contents", [page.headings, t], () => (
          <Contents page={page} t={t} />
        ))}
      </div>
    </Layout>
  );
}

/** The section as a tree: a sidebar on wide screens, collapsed on narrow ones. */
function SectionNav({
  section,
  page,
  href,
}: Pick<TemplateProps, "href"> & { section: NavItem; page: PageView }) {
  const tree = <NavTree items={[section]} current={page.route} href={href} />;
  return (
    <>
      <details class="docs-menu">
        <summary>{section.title}</summary>
        <nav aria-label={section.title}>{tree}</nav>
      </details>
      <nav class="docs-nav" aria-label={section.title}>
        {tree}
      </nav>
    </>
  );
}

/** The previous and the next page of the section. */
function Around({ section, page, t, href }: TemplateProps & { section: NavItem; page: PageView }) {
  const pages = flatten([section]);
  const place = pages.findIndex((item) => item.route === page.route);
  if (place === -1) return null;
  const linkTo = (item: NavItem | undefined) =>
    item === undefined
      ? null
      : { title: item.title, url: href(item.route), ...(item.lang && { lang: item.lang }) };
  return (
    <Neighbours
      label={t("docs.neighbours", "Previous and next page")}
      before={linkTo(pages[place - 1])}
      after={linkTo(pages[place + 1])}
      words={[t("docs.previous", "Previous"), t("docs.next", "Next")]}
    />
  );
}

function sectionOf(nav: readonly NavItem[], page: PageView): NavItem | null {
  const found = nav.find(
    ({ route }) => route !== "/" && (route === page.route || page.route.startsWith(`${route}/`)),
  );
  return found?.children?.length ? found : null;
}

function flatten(items: readonly NavItem[]): NavItem[] {
  return items.flatMap((item) => [item, ...flatten(item.children ?? [])]);
}

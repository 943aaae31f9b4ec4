import { Breadcrumbs, NavTree } from "#theme";
import type { NavItem, PageView, TemplateProps } from "#theme";
import { Contents } from "../components/contents.js";
import { Prose, Title } from "../components/prose.js";

/** A page of documentation: the section on one side, the headings on the other. */
export default function Docs(props: TemplateProps) {
  const { Layout, page, nav, t, href } = props;
  if (page === null) return <Layout {...props} />;
  const section = sectionOf(nav, page);
  const tree =
    section === null ? null : <NavTree items={[section]} current={page.route} href={href} />;
  const name = section?.title ?? t("docs.section", "Section");
  return (
    <Layout {...props} kind="docs">
      <div class="wrap docs">
        {tree !== null && (
          <>
            <details class="docs-menu">
              <summary>{name}</summary>
              <nav aria-label={name}>{tree}</nav>
            </details>
            <nav class="docs-nav" aria-label={name}>
              {tree}
            </nav>
          </>
        )}
        <article class="docs-page">
          <header class="page-header">
            <Breadcrumbs items={page.breadcrumbs} label={t("nav.breadcrumbs", "Breadcrumbs")} />
            <Title page={page} />
          </header>
          <Prose page={page} />
          {section !== null && (
            <Neighbours pages={flatten([section])} page={page} t={t} href={href} />
          )}
        </article>
        <Contents page={page} t={t} />
      </div>
    </Layout>
  );
}

interface NeighboursProps extends Pick<TemplateProps, "t" | "href"> {
  pages: readonly NavItem[];
  page: PageView;
}

function Neighbours({ pages, page, t, href }: NeighboursProps) {
  const place = pages.findIndex((item) => item.route === page.route);
  const before = place > 0 ? pages[place - 1] : undefined;
  const after = place === -1 ? undefined : pages[place + 1];
  if (before === undefined && after === undefined) return null;
  return (
    <nav class="neighbours" aria-label={t("docs.neighbours", "Previous and next page")}>
      {before !== undefined && (
        <a class="before" rel="prev" href={href(before.route)}>
          <small>{t("docs.previous", "Previous")}</small> {before.title}
        </a>
      )}
      {after !== undefined && (
        <a class="after" rel="next" href={href(after.route)}>
          <small>{t("docs.next", "Next")}</small> {after.title}
        </a>
      )}
    </nav>
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

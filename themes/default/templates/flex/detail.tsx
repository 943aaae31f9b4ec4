import { Breadcrumbs } from "#theme";
import type { FlexTemplateProps } from "#theme";
import { FlexValue, recordName } from "../../components/flex-value.js";

/** One record. */
export default function FlexDetail(props: FlexTemplateProps) {
  const { Layout, type, schema, record, href, lang, t, site } = props;
  if (record === null) return <Layout {...props} />;
  const name = recordName(record);
  const way = [
    { title: site.title, url: href("/") },
    { title: schema.title, url: href(`/flex/${type}`) },
    { title: name, url: href(`/flex/${type}/${String(record["_id"])}`) },
  ];
  return (
    <Layout {...props} kind="flex">
      <article class="wrap column">
        <header class="page-header">
          <Breadcrumbs items={way} label={t("nav.breadcrumbs", "Breadcrumbs")} />
          <h1>{name}</h1>
        </header>
        <dl class="facts-list">
          {Object.entries(schema.fields).map(([field, { type: kind, label }]) => (
            <div key={field}>
              <dt>{label ?? field}</dt>
              <dd>
                <FlexValue value={record[field]} type={kind} lang={lang} />
              </dd>
            </div>
          ))}
        </dl>
      </article>
    </Layout>
  );
}

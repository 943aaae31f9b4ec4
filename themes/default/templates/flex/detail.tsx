import { Breadcrumbs, Html } from "#theme";
import type { FlexTemplateProps } from "#theme";
import { FlexValue, recordName } from "../../components/field-values.js";

/** One record. */
export default function FlexDetail(props: FlexTemplateProps) {
  const { Layout, type, schema, record, recordHtml = {}, href, lang, t, site } = props;
  if (record === undefined) return <Layout {...props} />;
  const name = recordName(schema, record);
  const way = [
    { title: site.title, url: href("/") },
    { title: schema.title, url: `/flex/${type}` },
    { title: name, url: `/flex/${type}/${String(record["_id"])}` },
  ];
  const short = schema.fields.filter((field) => recordHtml[field.name] === undefined);
  return (
    <Layout {...props} kind="flex">
      <article class="wrap column">
        <header class="page-header">
          <Breadcrumbs items={way} label={t("nav.breadcrumbs", "Breadcrumbs")} />
          <h1>{name}</h1>
        </header>
        <dl class="facts-list">
          {short.map((field) => (
            <div key={field.name}>
              <dt>{field.label}</dt>
              <dd>
                <FlexValue value={record[field.name]} field={field} lang={lang} />
              </dd>
            </div>
          ))}
        </dl>
        {Object.entries(recordHtml).map(([field, html]) => (
          <Html key={field} class="prose" html={html} />
        ))}
      </article>
    </Layout>
  );
}

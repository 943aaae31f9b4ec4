import type { FlexTemplateProps } from "#theme";
import { FlexValue, recordName } from "../../components/flex-value.js";

const COLUMNS = 4;

/** The records of a type. */
export default function FlexList(props: FlexTemplateProps) {
  const { Layout, type, schema, records, href, lang, t } = props;
  const fields = Object.entries(schema.fields)
    .filter(([, field]) => !LONG.has(field.type))
    .slice(0, COLUMNS);
  return (
    <Layout {...props} kind="flex">
      <div class="wrap">
        <header class="page-header">
          <h1>{schema.title}</h1>
          {schema.description ? <p class="lede">{schema.description}</p> : null}
        </header>
        {records.length === 0 ? (
          <p class="empty">{t("list.empty", "Nothing here yet.")}</p>
        ) : (
          <ul class="records">
            {records.map((record) => (
              <li key={String(record["_id"])} class="record">
                <h2>
                  <a href={href(`/flex/${type}/${String(record["_id"])}`)}>{recordName(record)}</a>
                </h2>
                <dl>
                  {fields.map(([name, field]) => (
                    <div key={name}>
                      <dt>{field.label ?? name}</dt>
                      <dd>
                        <FlexValue value={record[name]} type={field.type} lang={lang} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Layout>
  );
}

const LONG: ReadonlySet<string> = new Set(["textarea", "markdown", "file"]);

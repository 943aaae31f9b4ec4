import { Pagination } from "#theme";
import type { FlexTemplateProps } from "#theme";
import { FlexValue, recordName } from "../../components/field-values.js";

const COLUMNS = 4;
const LONG: ReadonlySet<string> = new Set(["textarea", "markdown", "file"]);

/** The records of a type. */
export default function FlexList(props: FlexTemplateProps) {
  const { Layout, schema, records = [], pageNumber = 1, pages = 1, t } = props;
  const { prevUrl = null, nextUrl = null } = props;
  return (
    <Layout {...props} kind="flex">
      <div class="wrap">
        <header class="page-header">
          <h1>{schema.title}</h1>
          {schema.description !== "" && <p class="lede">{schema.description}</p>}
        </header>
        {records.length === 0 ? (
          <p class="empty">{t("list.empty", "Nothing here yet.")}</p>
        ) : (
          <ul class="records">
            {records.map((record) => (
              <Record key={String(record["_id"])} {...props} record={record} />
            ))}
          </ul>
        )}
        <Pagination collection={{ page: pageNumber, pages, prevUrl, nextUrl }} t={t} />
      </div>
    </Layout>
  );
}

interface RecordProps extends FlexTemplateProps {
  record: Readonly<Record<string, unknown>>;
}

function Record({ type, schema, record, lang }: RecordProps) {
  const name = recordName(schema, record);
  const fields = schema.fields.filter(
    (field) => !LONG.has(field.type) && record[field.name] !== name,
  );
  return (
    <li class="record">
      <h2>
        <a href={`/flex/${type}/${String(record["_id"])}`}>{name}</a>
      </h2>
      {fields.length > 0 && (
        <dl>
          {fields.slice(0, COLUMNS).map((field) => (
            <div key={field.name}>
              <dt>{field.label}</dt>
              <dd>
                <FlexValue value={record[field.name]} field={field} lang={lang} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

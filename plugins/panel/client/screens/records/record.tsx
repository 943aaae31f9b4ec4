import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { NEW_RECORD, recordPath, href, navigate, type ScreenProps } from "../../app/router.js";
import { t as app } from "../../app/texts.js";
import { done } from "../../app/toasts.js";
import { Failure, fieldErrors, Loading, useLoaded } from "../../parts/loading.js";
import { FieldInput } from "../../parts/fields/field-input.js";
import { plainField } from "../../parts/fields/field-props.js";
import { FieldSet } from "../../parts/fields/field-set.js";
import { Moment } from "../../parts/moment.js";
import { recordType, t, readTitle } from "./record-type.js";
import { DeleteRecords } from "./delete-records.js";
import { request, call } from "../../api/request.js";
import { may } from "../../api/session.js";
import type { FlexRecord, RecordType } from "../../api/answers.js";

interface Found {
  readonly type: RecordType;
  /** Null for a new record. */
  readonly record: FlexRecord | null;
  readonly etag: string;
}

/** The form of a record. */
export default function RecordForm({ params }: ScreenProps): VNode {
  const { type = "", id = "" } = params;
  const loaded = useLoaded(`${type}/${id}`, () => load(type, id));
  return (
    <div class="screen narrow">
      <Loading of={loaded}>
        {(data) =>
          data === null ? <h1>{app("notFound")}</h1> : <Form key={data.etag} {...data} />
        }
      </Loading>
    </div>
  );
}

async function load(name: string, id: string): Promise<Found | null> {
  const type = await recordType(name);
  if (type === null) return null;
  if (id === NEW_RECORD) return { type, record: null, etag: "" };
  const { data, etag } = await request("GET /flex/:type/:id", { params: { type: name, id } });
  return { type, record: data, etag };
}

function Form({ type, record, etag }: Found): VNode {
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(() =>
    initialValues(type, record),
  );
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      const sent = sentValues(type, values);
      if (record === null)
        await call("POST /flex/:type", { params: { type: type.name }, body: sent });
      else
        await call("PUT /flex/:type/:id", {
          params: { type: type.name, id: record._id },
          body: sent,
          ifMatch: etag,
        });
      done(t("saved"));
      navigate(recordPath(type.name));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FormHead type={type} record={record} />
      {error !== null && <Wrong error={error} type={type} />}
      <RecordFields
        type={type}
        values={values}
        errors={fieldErrors(error)}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
      />
      {may("flex.write") && <FormActions type={type} record={record} isBusy={isBusy} />}
    </form>
  );
}

interface WrongProps {
  error: unknown;
  type: RecordType;
}

/** Counts the invalid fields, which show their own errors; other failures are shown with their reason. */
function Wrong({ error, type }: WrongProps): VNode {
  const wrong = fieldErrors(error);
  const names = new Set([...type.fields.map(({ name }) => name), "published"]);
  const isShown = wrong.every(({ field }) => names.has(field.split(".", 1)[0] ?? ""));
  if (wrong.length === 0 || !isShown) return <Failure error={error} />;
  return (
    <p class="notice bad" role="alert">
      {t("wrong", { n: wrong.length })}
    </p>
  );
}

interface FormHeadProps {
  type: RecordType;
  /** Null: a new record. */
  record: FlexRecord | null;
}

function FormHead({ type, record }: FormHeadProps): VNode {
  return (
    <header class="screen-head">
      <div>
        <a href={href(recordPath(type.name))} data-screen>
          {type.title}
        </a>
        <h1>{record === null ? t("new") : readTitle(type, record)}</h1>
      </div>
      {record !== null && (
        <p>
          {t("changed")} <Moment at={record._updatedAt} />
        </p>
      )}
    </header>
  );
}

interface FormActionsProps {
  type: RecordType;
  /** Null: a new record. */
  record: FlexRecord | null;
  isBusy: boolean;
}

function FormActions({ type, record, isBusy }: FormActionsProps): VNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="save-bar actions">
      {record !== null && (
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          {app("delete")}
        </button>
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        {app("save")}
      </button>
      {isAsking && record !== null && (
        <DeleteRecords
          type={type.name}
          ids={[record._id]}
          onClose={() => setAsking(false)}
          onDone={() => navigate(recordPath(type.name))}
        />
      )}
    </div>
  );
}

function initialValues(
  type: RecordType,
  record: FlexRecord | null,
): Readonly<Record<string, unknown>> {
  if (record !== null) return { ...record, published: record._published };
  const preset = type.fields.filter((field) => field.default !== undefined);
  const values = preset.map((field) => [field.name, field.default]);
  return { ...Object.fromEntries(values), published: may("pages.publish") };
}

/** Null for fields without a value, which removes them. */
function sentValues(type: RecordType, values: Readonly<Record<string, unknown>>) {
  const entries = type.fields.map(({ name }) => [name, values[name] ?? null]);
  return { ...Object.fromEntries(entries), published: values["published"] !== false };
}

interface RecordFieldsProps {
  type: RecordType;
  values: Readonly<Record<string, unknown>>;
  errors: readonly { field: string; message: string }[];
  onChange(name: string, value: unknown): void;
}

/** The fields of a record with what the server found wrong, and whether visitors see it. */
function RecordFields({ type, values, errors, onChange }: RecordFieldsProps): VNode {
  const published = {
    ...plainField("published", "toggle", t("published")),
    help: t("published.help"),
  };
  const hasOwn = type.fields.some(({ name }) => name === "published");
  return (
    <FieldSet
      fields={hasOwn ? type.fields : [...type.fields, published]}
      values={values}
      errors={errors}
      isEditable={(field) => may("flex.write") && (field !== published || may("pages.publish"))}
      heading="h2"
      Input={FieldInput}
      onChange={onChange}
    />
  );
}

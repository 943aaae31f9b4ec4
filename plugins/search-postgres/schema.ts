/** Statements that create the tables; idempotent. */
export function schemaSql(schema: string): string {
  return `
create extension if not exists pg_trgm;
create schema if not exists "${schema}";
create table if not exists "${schema}".documents (
  id bigint generated always as identity primary key,
  route text collate "C" not null unique,
  digest text not null,
  title text not null,
  title_key text collate "C" not null,
  day text collate "C",
  template text not null,
  lang text not null,
  access text not null,
  taxonomy jsonb not null,
  facets jsonb not null
);
create index if not exists documents_title on "${schema}".documents (title_key);
create table if not exists "${schema}".postings (
  term text collate "C" not null,
  document bigint not null references "${schema}".documents on delete cascade,
  title boolean not null,
  body integer not null,
  places text[] not null,
  primary key (term, document)
);
create index if not exists postings_document on "${schema}".postings (document);
create table if not exists "${schema}".words (term text primary key);
create index if not exists words_similar on "${schema}".words using gin (term gin_trgm_ops);`;
}

/** Upper bound, in byte order, of the terms with a prefix. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** Removes what PostgreSQL text cannot contain: NUL and lone surrogates. */
export function clean(text: string): string {
  const whole = /\p{Cs}/u.test(text) ? Buffer.from(text).toString() : text;
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}

/** Like `clean`, for the lists of a record. */
export function cleanLists(
  lists: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, values]): [string, string[]] => [
      clean(name),
      values.map(clean),
    ]),
  );
}

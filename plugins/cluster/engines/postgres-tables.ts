/** Tables and functions in PostgreSQL. Each function is one step for all nodes, whatever happens to its caller. */
import type { Kysely } from "kysely";
import { SITE_OWNER_TABLE, type DatabaseSchema } from "#lib/databases";

/** `stamp`: Unix µs; with the number it identifies a message, also in a restored database. */
const TABLES = [
  SITE_OWNER_TABLE,
  `create table site_cluster_nodes (
    name text primary key,
    id text not null,
    record json not null,
    until timestamptz not null
  )`,
  `create table site_cluster_leases (
    name text primary key,
    token text not null,
    until timestamptz not null
  )`,
  `create table site_cluster_messages (
    id bigint generated always as identity primary key,
    stamp bigint not null,
    message json not null
  )`,
  `create table site_cluster_open (
    name text primary key,
    node text not null,
    node_id text not null,
    message json not null
  )`,
  `create table site_cluster_versions (
    id bigint generated always as identity primary key,
    key text not null,
    state text not null,
    exact text not null,
    node text not null,
    at timestamptz not null
  )`,
  "create index site_cluster_versions_by_key on site_cluster_versions (key, id)",
  "create index site_cluster_versions_by_time on site_cluster_versions (at)",
];

const BEGIN = "perform pg_advisory_xact_lock(hashtextextended('site_cluster', 0));";

/** Returns the other node of this name, and the leader. Removes a lock that is a leftover of this node. */
const BEAT = `
create function site_cluster_beat(p_id text, p_name text, p_record json, p_ttl integer, p_token text)
returns table (taken json, leader text) language plpgsql as $$
declare
  present timestamptz;
  expiry timestamptz;
begin
  ${BEGIN}
  present := clock_timestamp();
  expiry := present + p_ttl * interval '1 ms';
  leader := '';
  select n.record into taken from site_cluster_nodes n
    where n.name = p_name and n.id <> p_id and n.until > present;
  if taken is null then
    insert into site_cluster_nodes as n values (p_name, p_id, p_record, expiry)
      on conflict (name) do update set id = p_id, record = p_record, until = expiry;
    insert into site_cluster_leases as l values ('leader', p_id, expiry)
      on conflict (name) do update set token = p_id, until = expiry
      where l.token = p_id or l.until <= present;
    delete from site_cluster_leases l
      where l.name = 'lock' and l.token <> p_token and starts_with(l.token, p_id || '#');
    select l.token into leader from site_cluster_leases l where l.name = 'leader';
  end if;
  return next;
end $$`;

const LEAVE = `
create function site_cluster_leave(p_id text, p_name text) returns void language plpgsql as $$
begin
  ${BEGIN}
  delete from site_cluster_nodes where name = p_name and id = p_id;
  delete from site_cluster_leases where name = 'leader' and token = p_id;
  delete from site_cluster_leases where name = 'lock' and starts_with(token, p_id || '#');
end $$`;

/** A node takes one lock at a time, so another one of its own is a leftover. */
const LOCK = `
create function site_cluster_lock(p_token text, p_ttl integer, p_id text)
returns boolean language plpgsql as $$
declare
  present timestamptz;
begin
  ${BEGIN}
  present := clock_timestamp();
  insert into site_cluster_leases as l values ('lock', p_token, present + p_ttl * interval '1 ms')
    on conflict (name) do update set token = excluded.token, until = excluded.until
    where l.until <= present or starts_with(l.token, p_id || '#');
  return found;
end $$`;

/** Keeps sixteen versions of a key. */
const REMEMBER = `
create function site_cluster_remember(p_key text, p_state text, p_exact text, p_node text)
returns void language sql as $$
  insert into site_cluster_versions (key, state, exact, node, at)
    values (p_key, p_state, p_exact, p_node, clock_timestamp());
  delete from site_cluster_versions where key = p_key and id <= (
    select id from site_cluster_versions where key = p_key order by id desc offset 16 limit 1
  );
$$`;

/**
 * A node per version; null while another node writes. An equal state counts as announced if it is the
 * newest one; the same file also if it is not, for a minute: a node may look at it late.
 */
const CLAIM = `
create function site_cluster_claim(
  p_id text, p_node text, p_keys text[], p_states text[], p_exacts text[]
) returns text[] language plpgsql as $$
declare
  nodes text[] := '{}';
  known text;
begin
  ${BEGIN}
  for nth in 1 .. cardinality(p_keys) loop
    select v.node into known from (
      select *, row_number() over (order by id desc) as age
      from site_cluster_versions where key = p_keys[nth]
    ) as v
    where (v.age = 1 and v.state = p_states[nth])
      or (v.exact = p_exacts[nth] and v.at > clock_timestamp() - interval '60 s')
    order by v.age limit 1;
    nodes := array_append(nodes, known);
  end loop;
  if array_position(nodes, null) is null then return nodes; end if;
  if exists (
    select from site_cluster_leases where name = 'lock' and until > clock_timestamp()
      and not starts_with(token, p_id || '#')
  ) then return null; end if;
  for nth in 1 .. cardinality(p_keys) loop
    if nodes[nth] is null then
      perform site_cluster_remember(p_keys[nth], p_states[nth], p_exacts[nth], p_node);
      nodes[nth] := p_node;
    end if;
  end loop;
  return nodes;
end $$`;

/** Stores a message and wakes the readers; the notification is small, whatever the message. */
const SEND = `
create function site_cluster_send(
  p_message json, p_open text, p_keys text[], p_states text[], p_exacts text[], p_max integer
) returns text language plpgsql as $$
declare
  sent site_cluster_messages;
begin
  ${BEGIN}
  for nth in 1 .. cardinality(p_keys) loop
    perform site_cluster_remember(p_keys[nth], p_states[nth], p_exacts[nth], p_message->>'node');
  end loop;
  if p_open <> '' then
    insert into site_cluster_open
      values (p_open, p_message->>'node', p_message->>'id', p_message)
      on conflict (name) do update set message = excluded.message;
  end if;
  insert into site_cluster_messages (stamp, message)
    values ((extract(epoch from clock_timestamp()) * 1000000)::bigint, p_message)
    returning * into sent;
  if sent.id % 100 = 0 then
    delete from site_cluster_messages where id <= sent.id - p_max;
    delete from site_cluster_versions where at < clock_timestamp() - interval '7 days';
  end if;
  perform pg_notify('site_cluster', sent.id::text);
  return sent.id || '-' || sent.stamp;
end $$`;

/** The tables and functions of the transport. */
export const clusterSchema: DatabaseSchema = {
  table: "site_cluster_migrations",
  migrations: {
    "001-cluster": {
      up: (db) => run(db, [...TABLES, BEAT, LEAVE, LOCK, REMEMBER, CLAIM, SEND]),
    },
  },
};

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  const { sql } = await import("kysely");
  for (const statement of statements) await sql.raw(statement).execute(db);
}

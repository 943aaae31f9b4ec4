import type { Pool, PoolClient } from "pg";
import { createPostgresPool } from "#lib/databases";
import type {
  Explanation,
  SearchDocument,
  SearchEngine,
  SearchQuery,
  SearchResult,
  SearchTools,
  TermMatch,
} from "../../search/contract.js";
import { searchSql, type Statement, suggestions, words } from "../queries.js";
import { afterPrefix, clean, schemaSql } from "../schema.js";
import { removeRoutes, writeDocuments, type WriteOptions } from "../write.js";

/** Options of the engine; times in ms. */
export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  /** Maximum number of connections. */
  readonly pool: number;
  readonly timeoutMs: number;
  readonly tools: SearchTools;
}

const BATCH = 100;

/**
 * The search engine in PostgreSQL: postings with counts in a table, scored in SQL. Nodes share the
 * index. A build only writes documents whose digest differs, in one transaction under an advisory
 * lock: a second node finds the work done, and searches never see a partial index.
 */
export function createPostgresEngine(options: PostgresOptions): SearchEngine {
  const database = new Database(options);
  const { schema, tools } = options;
  return {
    build: (documents) =>
      database.write((client) => buildAll(client, documents, { schema, tools })),
    update: ({ upsert, remove }) =>
      database.write(async (client) => {
        await removeRoutes(client, schema, remove);
        const last = new Map(upsert.map((document) => [document.route, document]));
        await writeDocuments(client, [...last.values()], { schema, tools });
      }),
    async search(query): Promise<SearchResult> {
      const [row] = await database.read<{
        total: number;
        hits: { route: string; points: number }[];
        facets: SearchResult["facets"];
      }>(searchSql(schema, query, tools));
      const hits = (row?.hits ?? []).map(({ route, points }) => ({ route, score: points / 2000 }));
      return { total: row?.total ?? 0, hits, facets: row?.facets ?? {} };
    },
    suggest: (prefix, limit, scope = { access: [""], lang: null }) =>
      suggestions(
        { schema, tools, ask: (statement) => database.read(statement) },
        { prefix, limit, scope },
      ),
    words: (range) => words({ schema, tools, ask: (statement) => database.read(statement) }, range),
    explain: (query, route) => explain(database, options, query, route),
    close: () => database.close(),
  };
}

async function buildAll(
  client: PoolClient,
  documents: AsyncIterable<SearchDocument>,
  options: WriteOptions,
): Promise<void> {
  const seen = new Set<string>();
  let waiting: SearchDocument[] = [];
  for await (const document of documents) {
    if (seen.has(clean(document.route))) continue;
    seen.add(clean(document.route));
    if (waiting.push(document) < BATCH) continue;
    await writeDocuments(client, waiting, options);
    waiting = [];
  }
  await writeDocuments(client, waiting, options);
  await client.query(
    `delete from "${options.schema}".documents where not route = any($1::text[])`,
    [[...seen]],
  );
}

/** Connections, opened on first use. */
class Database {
  readonly #options: PostgresOptions;
  #pool: Promise<Pool> | null = null;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  async read<R>({ text, values }: Statement): Promise<R[]> {
    const { rows } = await (await this.#connected()).query(text, [...values]);
    return rows as R[];
  }

  /** Runs a transaction that excludes other nodes. */
  async write(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await (await this.#connected()).connect();
    try {
      await client.query("begin");
      await client.query("set local statement_timeout = 0");
      await client.query("select pg_advisory_xact_lock(hashtext($1))", [
        `search ${this.#options.schema}`,
      ]);
      await work(client);
      await client.query("commit");
      client.release();
    } catch (error) {
      // Do not return a connection in an unknown state to the pool.
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await (await pool?.catch(() => null))?.end();
  }

  #connected(): Promise<Pool> {
    this.#pool ??= this.#open().catch((error: unknown) => {
      this.#pool = null;
      throw error;
    });
    return this.#pool;
  }

  async #open(): Promise<Pool> {
    const { url, pool: connections, timeoutMs, schema } = this.#options;
    const limits = { statementMs: timeoutMs, connectMs: timeoutMs, transactions: "long" } as const;
    const pool = await createPostgresPool({ url, connections, ...limits });
    try {
      const client = await pool.connect();
      // Two nodes may start concurrently: `if not exists` does not serialise them.
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(hashtext('search schema'))");
      await client.query(schemaSql(schema));
      await client.query("commit");
      client.release();
      return pool;
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
}

interface PostingOf {
  term: string;
  title: boolean;
  body: number;
  places: string[];
  title_key: string;
}

async function explain(
  database: Database,
  { schema, tools }: WriteOptions,
  query: SearchQuery,
  route: string,
): Promise<Explanation | null> {
  const text = `select p.term, p.title, p.body, p.places, d.title_key from "${schema}".documents d
 join "${schema}".postings p on p.document = d.id
 join unnest($2::text[], $3::text[]) as a(low, high) on p.term >= a.low collate "C" and p.term < a.high collate "C"
 where d.route = $1`;
  const rows = await database.read<PostingOf>({
    text,
    values: [clean(route), query.terms, query.terms.map(afterPrefix)],
  });
  if (rows.length === 0) return null;
  const matches = query.terms.map((term) => toMatch(rows, term));
  return tools.explain(
    query.terms,
    matches,
    rows[0]?.title_key === tools.normalizeText(query.text),
  );
}

function toMatch(rows: readonly PostingOf[], term: string): TermMatch | null {
  const matches = new Map(
    rows.filter((row) => row.term.startsWith(term)).map((row) => [row.term, row]),
  );
  if (matches.size === 0) return null;
  const all = [...matches.values()];
  const places = [...new Set(all.flatMap((row) => row.places))];
  return {
    title: all.some((row) => row.title),
    body: all.reduce((sum, row) => sum + row.body, 0),
    taxonomy: places.filter((place) => place.startsWith("v")).length,
    fields: places.filter((place) => place.startsWith("f")).map((place) => place.slice(1)),
  };
}

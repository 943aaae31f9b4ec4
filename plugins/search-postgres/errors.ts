/** Error codes of search-postgres: meaning and fix. */
export const searchPostgresErrors = {
  ERR_SEARCH_POSTGRES_URL:
    "`search.engine: postgres` needs the address of a PostgreSQL server: set SITE_DB_URL.",
} as const;

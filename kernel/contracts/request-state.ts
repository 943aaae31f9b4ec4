/** State of a request that plugins share. */

/** What `req.ctx.state` carries; plugins add their keys (`siteUser`, `viewer`, …). */
export interface RequestState {}

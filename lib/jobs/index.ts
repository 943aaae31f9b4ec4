/** Background jobs as they are stored, how an attempt fails, and the lease of stores that several nodes share. Runs in Node.js. */
export {
  JOB_ID,
  JobError,
  jobSchema,
  parseJob,
  type JobRecord,
  type JobState,
} from "./job-record.js";
export { LeasedJobs, type JobStoreEvents, type LeaseBeat, type LeaseStore } from "./leased-jobs.js";

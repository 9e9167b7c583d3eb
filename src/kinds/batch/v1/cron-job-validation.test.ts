import { cronjobs } from '#kinds/batch/v1/cron-job-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'one' },
  spec: {
    schedule: '*/5 1-3,5 * JAN-MAR MON',
    timeZone: 'Europe/Berlin',
    startingDeadlineSeconds: 5,
    concurrencyPolicy: 'Forbid',
    jobTemplate: {
      metadata: { labels: { a: 'b' } },
      spec: {
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], restartPolicy: 'Never' } },
      },
    },
  },
};

describeRefusals('cron jobs', cronjobs, valid, [
  ['a name of 53 characters', { 'metadata.name': 'a'.repeat(53) }, `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`],
  ['no schedule', { 'spec.schedule': '' }, 'spec.schedule: Required value'],
  ['a schedule with too few fields', { 'spec.schedule': '* * * *' }, 'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]'],
  [
    'a schedule with too many fields',
    { 'spec.schedule': '* * * * * *' },
    'spec.schedule: Invalid value: "* * * * * *": expected exactly 5 fields, found 6: [* * * * * *]',
  ],
  [
    'a schedule with a minute that is none',
    { 'spec.schedule': 'x * * * *' },
    'spec.schedule: Invalid value: "x * * * *": failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  ],
  [
    'a schedule with a minute beyond 59',
    { 'spec.schedule': '60 * * * *' },
    'spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
  ],
  ['a schedule with a day below 1', { 'spec.schedule': '* * 0 * *' }, 'spec.schedule: Invalid value: "* * 0 * *": beginning of range (0) below minimum (1): 0'],
  [
    'a schedule with a range the wrong way round',
    { 'spec.schedule': '5-1 * * * *' },
    'spec.schedule: Invalid value: "5-1 * * * *": beginning of range (5) beyond end of range (1): 5-1',
  ],
  [
    'a schedule with a step of zero',
    { 'spec.schedule': '*/0 * * * *' },
    'spec.schedule: Invalid value: "*/0 * * * *": step of range should be a positive number: */0',
  ],
  [
    'a schedule with a step that is none',
    { 'spec.schedule': '*/x * * * *' },
    'spec.schedule: Invalid value: "*/x * * * *": failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  ],
  ['a schedule with too many hyphens', { 'spec.schedule': '1-2-3 * * * *' }, 'spec.schedule: Invalid value: "1-2-3 * * * *": too many hyphens: 1-2-3'],
  ['a schedule with too many slashes', { 'spec.schedule': '1/2/3 * * * *' }, 'spec.schedule: Invalid value: "1/2/3 * * * *": too many slashes: 1/2/3'],
  [
    'a schedule with a negative number',
    { 'spec.schedule': '* * * * -1' },
    'spec.schedule: Invalid value: "* * * * -1": failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
  ],
  ['a schedule with an unknown descriptor', { 'spec.schedule': '@never' }, 'spec.schedule: Invalid value: "@never": unrecognized descriptor: @never'],
  [
    'a schedule with a duration that is none',
    { 'spec.schedule': '@every x' },
    'spec.schedule: Invalid value: "@every x": failed to parse duration @every x: time: invalid duration "x"',
  ],
  [
    'a schedule with a duration without a unit',
    { 'spec.schedule': '@every 5' },
    'spec.schedule: Invalid value: "@every 5": failed to parse duration @every 5: time: missing unit in duration "5"',
  ],
  [
    'a schedule with a duration of an unknown unit',
    { 'spec.schedule': '@every 5y' },
    'spec.schedule: Invalid value: "@every 5y": failed to parse duration @every 5y: time: unknown unit "y" in duration "5y"',
  ],
  [
    'a schedule with a zone inside',
    { 'spec.schedule': 'CRON_TZ=UTC * * * * *' },
    'spec.schedule: Invalid value: "CRON_TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    'a schedule with an unknown zone inside',
    { 'spec.schedule': 'TZ=Nowhere/X * * * * *' },
    'spec.schedule: Invalid value: "TZ=Nowhere/X * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    'spec.schedule: Invalid value: "TZ=Nowhere/X * * * * *": provided bad location Nowhere/X: unknown time zone Nowhere/X',
  ],
  [
    'a schedule with a zone alone',
    { 'spec.schedule': 'TZ=UTC' },
    'spec.schedule: Invalid value: "TZ=UTC": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    'spec.schedule: Invalid value: "TZ=UTC": invalid schedule format: runtime error: slice bounds out of range [:-1]',
  ],
  [
    'negative counts',
    { 'spec.startingDeadlineSeconds': -1, 'spec.successfulJobsHistoryLimit': -1, 'spec.failedJobsHistoryLimit': -1 },
    'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['an empty time zone', { 'spec.timeZone': '' }, 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  ['an unknown time zone', { 'spec.timeZone': 'Nowhere/X' }, 'spec.timeZone: Invalid value: "Nowhere/X": unknown time zone Nowhere/X'],
  ['a time zone in small letters', { 'spec.timeZone': 'utc' }, 'spec.timeZone: Invalid value: "utc": unknown time zone utc'],
  [
    'the time zone of the server',
    { 'spec.timeZone': 'Local' },
    'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
  ],
  ['a time zone that leads up', { 'spec.timeZone': '../UTC' }, 'spec.timeZone: Invalid value: "../UTC": unknown time zone ../UTC'],
  ['a time zone with a blank', { 'spec.timeZone': 'a b' }, 'spec.timeZone: Invalid value: "a b": unknown time zone a b'],
  [
    'an unknown concurrency policy',
    { 'spec.concurrencyPolicy': 'Bogus' },
    'spec.concurrencyPolicy: Unsupported value: "Bogus": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    'a selector',
    { 'spec.jobTemplate.spec.selector': { matchLabels: { app: 'web' } } },
    'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: `selector` will be auto-generated',
  ],
  [
    'a manual selector',
    { 'spec.jobTemplate.spec.manualSelector': true },
    'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
  ],
  [
    'a job that is wrong',
    { 'spec.jobTemplate.spec.parallelism': -1, 'spec.jobTemplate.spec.template.spec.restartPolicy': undefined },
    'spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
]);

describeUpdateRefusals('updates of cron jobs', cronjobs, valid, [
  [
    'a zone in the schedule',
    { 'spec.schedule': 'TZ=UTC * * * * *' },
    'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
]);

import gcloud from '../../src/mutations/gcloud.ts'
import { mutationSuite } from './table.ts'

mutationSuite(gcloud, {
  means: [
    ['gcloud run deploy app --image x --project prod', 'convergent', 'cloud gcloud prod', 'run deploy app'],
    ['gcloud --project=prod compute instances create vm1', 'harmful', 'cloud gcloud prod', 'compute instances create vm1'],
    ['gcloud pubsub topics publish t --message hi', 'harmful', null, 'pubsub topics publish t'],
    ['gcloud storage cp a gs://bucket/a', 'convergent', 'cloud gs://bucket', 'storage cp gs://bucket/a'],
    ['gsutil rm gs://bucket/a', 'convergent', 'cloud gs://bucket', 'storage rm gs://bucket/a'],
    ['gcloud storage buckets create gs://bucket', 'harmful', 'cloud gs://bucket', 'storage buckets create gs://bucket'],
    ['CLOUDSDK_CORE_PROJECT=prod gcloud sql instances delete db -q', 'convergent', 'cloud gcloud prod', 'sql instances delete db'],
    ['gcloud beta builds submit --project prod', 'harmful', 'cloud gcloud prod', 'builds submit'],
    ['gcloud projects add-iam-policy-binding p --member m --role r --project p', 'convergent', 'cloud gcloud p', 'projects add-iam-policy-binding p'],
  ],
  not: ['gcloud compute instances list', 'gcloud run services describe app', 'gcloud config set project x', 'gcloud auth login', 'gcloud components update', 'gcloud storage ls gs://b', 'gcloud storage cp gs://b/a .', 'gsutil ls', 'gcloud run deploy --help', 'gcloud logging read x', 'gsutil cp gs://b/a local', 'gcloud version'],
  done: [
    ['gcloud run deploy app --image x --project prod', 'Service [app] revision [app-1] has been deployed and is serving 100 percent of traffic.\n', 'cloud gcloud prod', 'run deploy app'],
    ['?gcloud run deploy app --image x --project prod', 'Service [app] revision [app-1] has been deployed and is serving\n', 'cloud gcloud prod', 'run deploy app'],
    ['gcloud storage cp a gs://bucket/a', '', 'cloud gs://bucket', 'storage cp gs://bucket/a'],
    ['gcloud --project=prod compute instances create vm1', 'Created [https://www.googleapis.com/compute/v1/x].\n', 'cloud gcloud prod', 'compute instances create vm1'],
  ],
  open: [
    ['?gcloud pubsub topics publish t --message hi --project p', '', null],
    ['gcloud pubsub topics publish t --message hi', 'messageIds:\n- 1\n', null],
    ['gcloud run deploy app --image x --project prod', 'ERROR: (gcloud.run.deploy) PERMISSION_DENIED\n', 'not-done'],
    ['gsutil cp a gs://b/a', 'AccessDeniedException: 403\n', 'not-done'],
  ],
})

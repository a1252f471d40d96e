import type { Mutation } from './model/mutation.ts'
import alembic from './mutations/alembic.ts'
import aws from './mutations/aws.ts'
import az from './mutations/az.ts'
import cargoPublish from './mutations/cargo-publish.ts'
import crontab from './mutations/crontab.ts'
import curl from './mutations/curl.ts'
import djangoMigrate from './mutations/django-migrate.ts'
import flyway from './mutations/flyway.ts'
import gcloud from './mutations/gcloud.ts'
import gemPush from './mutations/gem-push.ts'
import ghApi from './mutations/gh-api.ts'
import ghPr from './mutations/gh-pr.ts'
import ghRelease from './mutations/gh-release.ts'
import ghRun from './mutations/gh-run.ts'
import gitPush from './mutations/git-push.ts'
import glabMr from './mutations/glab-mr.ts'
import glabRelease from './mutations/glab-release.ts'
import helm from './mutations/helm.ts'
import httpie from './mutations/httpie.ts'
import imagePush from './mutations/image-push.ts'
import knex from './mutations/knex.ts'
import kubectl from './mutations/kubectl.ts'
import mail from './mutations/mail.ts'
import mysql from './mutations/mysql.ts'
import npmPublish from './mutations/npm-publish.ts'
import outsideFiles from './mutations/outside-files.ts'
import prisma from './mutations/prisma.ts'
import psql from './mutations/psql.ts'
import pulumi from './mutations/pulumi.ts'
import pypiUpload from './mutations/pypi-upload.ts'
import railsMigrate from './mutations/rails-migrate.ts'
import remoteCopy from './mutations/remote-copy.ts'
import sqlite from './mutations/sqlite.ts'
import swaks from './mutations/swaks.ts'
import systemctl from './mutations/systemctl.ts'
import terraform from './mutations/terraform.ts'
import wget from './mutations/wget.ts'

/** One tool that changes the outside world a file. A command belongs to one at most. */
export const mutations: readonly Mutation[] = [
  gitPush, ghPr, ghRelease, ghApi, ghRun, glabMr, glabRelease,
  npmPublish, pypiUpload, cargoPublish, gemPush, imagePush,
  terraform, pulumi, kubectl, helm, aws, gcloud, az,
  alembic, prisma, knex, railsMigrate, djangoMigrate, flyway,
  psql, mysql, sqlite,
  curl, httpie, wget, mail, swaks,
  outsideFiles, remoteCopy, systemctl, crontab,
]

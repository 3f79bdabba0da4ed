#!/bin/sh
# Replicates a stage's tables and secrets to a second region, before a loss ("Loss of a region" in operations.md). It
# needs the AWS CLI 2 and an administrator of the account. After an interruption, run it again: it skips what is done.
#
#   sh docs/replicate.sh STACK SECOND_REGION [KEY_ARN_THERE [SECRET…]]
#
# KEY_ARN_THERE is your key in the second region, or '' for keys of AWS. Each SECRET is a further secret to replicate:
# those of webhooks and, with an edge, <name>-<stage>-origin-key. CONSTRUCT is what the commands take as --construct, if
# Canvass is a construct in a stack of yours.
set -eu
stack=$1
second=$2
key=${3:-}
[ $# -lt 3 ] && shift 2 || shift 3

# The commands' --construct, as the CDK writes it in logical ids; it appends a hash of eight characters to outputs.
construct=$(echo "/${CONSTRUCT:-}/" | sed 's#/Default/#/#g' | tr -cd 'A-Za-z0-9')
output() {
  key=$construct$1
  value=$(aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].Outputs[?OutputKey=='$key' ||
    starts_with(OutputKey,'$key') && length(OutputKey)==\`$((${#key} + 8))\`].OutputValue")
  case $value in
    '' | None | *[[:space:]]*)
      echo "$stack must have one output $key, and has: ${value:-none}. Set CONSTRUCT to the id of the construct." >&2
      exit 1
      ;;
  esac
  echo "$value"
}
has() { aws dynamodb describe-table "$@" --output text; }
# Replicas become active after the table.
settle() {
  aws dynamodb wait table-exists "$@" || { echo "$* is not complete yet. Run this again." >&2; exit 1; }
}

protect() {
  [ "$(aws dynamodb describe-continuous-backups "$@" --output text \
    --query ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus)" = ENABLED ] ||
    aws dynamodb update-continuous-backups "$@" \
      --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true >&2
  [ "$(has "$@" --query Table.DeletionProtectionEnabled)" = True ] ||
    aws dynamodb update-table "$@" --deletion-protection-enabled >&2
}

main=$(output TableName)
log=$(output ErasureLogTableName)
hash=$(output HashSecretName)
ring=$(output TokenRingName)
for table in "$main" "$log"; do
  [ "$(has --table-name "$table" --query Table.StreamSpecification.StreamViewType)" = NEW_AND_OLD_IMAGES ] ||
    aws dynamodb update-table --table-name "$table" \
      --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES >&2
  settle --table-name "$table" >&2
  [ "$(has --table-name "$table" --query "Table.Replicas[?RegionName=='$second'].RegionName")" = "$second" ] ||
    aws dynamodb update-table --table-name "$table" \
      --replica-updates "Create={RegionName=$second${key:+,KMSMasterKeyId=$key}}" >&2
  settle --table-name "$table" >&2
  settle --region "$second" --table-name "$table" >&2
  protect --region "$second" --table-name "$table"
done
for secret in "$hash" "$ring" "$@"; do
  [ "$(aws secretsmanager describe-secret --secret-id "$secret" --output text \
    --query "ReplicationStatus[?Region=='$second'].Region")" = "$second" ] ||
    aws secretsmanager replicate-secret-to-regions --secret-id "$secret" \
      --add-replica-regions "Region=$second${key:+,KmsKeyId=$key}" >&2
done

there() { aws secretsmanager describe-secret --region "$second" --secret-id "$1" --output text --query ARN; }
cat <<END
Store this outside this region. It is "existing" of the stage's settings after the loss:
{
  "tableStreamArn": "$(has --region "$second" --table-name "$main" --query Table.LatestStreamArn)",
  "erasureLogTableArn": "$(has --region "$second" --table-name "$log" --query Table.TableArn)",
  "hashSecretArn": "$(there "$hash")",
  "tokenRingArn": "$(there "$ring")"
}
END

export { Canvass, type CanvassApi } from './canvass.ts';
export type {
  CanvassBackupProps,
  CanvassDigestProps,
  CanvassDomainProps,
  CanvassEdgeProps,
  CanvassEventsProps,
  CanvassEventType,
  CanvassExistingData,
  CanvassLogRetentionDays,
  CanvassProbeProps,
  CanvassProps,
  CanvassScoreAdapterProps,
  CanvassSlackWebhookProps,
  CanvassWebhookProps,
} from './canvass-props.ts';
export { CanvassEdgeStack, type CanvassEdgeStackProps } from './edge/canvass-edge-stack.ts';
export { SettingsError } from './settings/settings-error.ts';

export * from '@kit/client/stream';

export * from '@kit/client';

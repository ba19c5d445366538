export * from '@kit/client/testing';

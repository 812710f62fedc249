package dev.tributary.interop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Skips a test class or method where the native library of stock TensorFlow is not on the
 * classpath.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "x86_64"},
    disabledReason = "stock TensorFlow's natives are here for linux-x86_64 only")
@interface RequiresStockTensorFlow {}

package dev.tributary.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails each test of a class that leaves tensors of the shared allocator open, and shows where they
 * were made. What was live before the test, such as a constant of the class, may stay.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(LeakCheck.class)
public @interface NoLeaks {}
